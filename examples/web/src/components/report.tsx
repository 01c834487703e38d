import { Folded, part } from './folded.tsx';

const ReportForm = part(async () => (await import('../parts/report-form.tsx')).ReportForm);

/** A report of something to the administrators, folded away below it. */
export const Report = ({ id, label }: { readonly id: string; readonly label: string }) => (
  <Folded label={label}>
    <ReportForm id={id} />
  </Folded>
);
