import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { register } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import '../src/app/workers.ts';
import '../src/http/server.ts';
import { FAULTS } from '../tools/alerts/faults.ts';
import { debianProgram } from '../tools/support/debian.ts';

const RULES = 'deploy/prometheus/alerts.yml';
const TESTS = 'deploy/prometheus/alerts.test.yml';

const read = (file: string) => readFileSync(file, 'utf8');
const { groups } = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.strictObject({
            alert: z.string(),
            expr: z.string(),
            for: z.string().optional(),
            labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
            annotations: z.strictObject({ summary: z.string().regex(/\.$/), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read(RULES)));
const alerts = groups.flatMap(({ rules }) => rules);

const dashboard = z
  .object({ panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })).optional() })) })
  .parse(JSON.parse(read('deploy/grafana/dashboard.json')));
const shown = dashboard.panels.flatMap(({ targets }) => targets ?? []);

const WORDS_OF_PROMQL = new Set(['and', 'or', 'unless', 'offset', 'by']);

/**
 * Returns the names of metrics in an expression of PromQL: the words that are no functions, labels,
 * durations or operators.
 */
const metricsIn = (expr: string): string[] =>
  expr
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|\bby\s*\([^)]*\)/g, ' ')
    .match(/\b[a-z_][a-z0-9_]*\b(?!\s*\()/g)
    ?.filter((word) => !WORDS_OF_PROMQL.has(word) && !/^\d/.test(word)) ?? [];

/** The names under which Prometheus stores a metric; `up` is its own. */
const stored = new Set([
  'up',
  ...register.getMetricsAsArray().flatMap(({ name }) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`]),
]);

describe('alerts', () => {
  test('the runbook explains what to do about each alert', () => {
    const sections = [...read('docs/runbook.md').matchAll(/^## (.*)$/gm)].map(([, title = '']) => title);
    expect(sections).toEqual(alerts.map(({ alert }) => alert));
    expect(alerts.map(({ annotations: { runbook } }) => runbook)).toEqual(
      sections.map((title) => `docs/runbook.md#${title.toLowerCase()}`),
    );
  });

  test('a fault of `npm run chaos -- alerts` fires each alert', () => {
    const fired = new Set(Object.values(FAULTS).flatMap((fault) => fault.alerts));
    expect([...fired].toSorted()).toEqual(alerts.map(({ alert }) => alert).toSorted());
  });

  test.each([
    ['of the alerts', alerts],
    ['of the dashboard', shown],
  ])('the metrics %s are those of a server', (_whose, expressions) => {
    const named = new Set(expressions.flatMap(({ expr }) => metricsIn(expr)));
    expect(named.size).toBeGreaterThan(15);
    expect([...named].filter((name) => !stored.has(name))).toEqual([]);
  });

  test('each alert fires with its fault, and none without', () => {
    const { file, env } = debianProgram('prometheus', 'usr/bin/promtool', 'PROMTOOL');
    const promtool = (...given: string[]) =>
      execFileSync(file, given, { encoding: 'utf8', env: { ...process.env, ...env } });
    expect(() => promtool('check', 'rules', RULES)).not.toThrow();
    expect(() => promtool('test', 'rules', TESTS)).not.toThrow();

    const fired = new Set([...read(TESTS).matchAll(/alertname="(\w+)"/g)].map(([, name]) => name));
    expect(alerts.map(({ alert }) => alert).filter((name) => !fired.has(name))).toEqual([]);
  });
});
