import type { Page } from 'playwright-core';

/** Fills a form by its labels, and sends it. */
export async function fill(page: Page, form: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const shown = page.getByRole('form', { name: form });
  for (const [label, value] of Object.entries(fields)) await shown.getByLabel(label, { exact: true }).fill(value);
  await shown.getByRole('button').click();
}
