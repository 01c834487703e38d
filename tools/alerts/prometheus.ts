import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { debianProgram } from '../support/debian.ts';
import { startService } from '../support/service.ts';

const RULES = join(import.meta.dirname, '../../deploy/prometheus/alerts.yml');
/** The range of rates, instead of minutes and hours. */
const WINDOW = '15s';
/** The time for which a fault lasts until its alert fires. */
const FOR = '3s';

/** Prometheus with the alert rules of the project, in seconds instead of minutes. */
export interface Prometheus {
  /** Returns the names of the firing alerts. */
  readonly firing: () => Promise<ReadonlySet<string>>;
  readonly stop: () => Promise<void>;
}

const alertsAnswer = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string() }) })),
  }),
});

/**
 * Starts a Prometheus that scrapes the metrics of servers each second.
 * @param folder the folder to create for its files
 * @param targets the addresses of the metrics, `host:port`
 */
export async function startPrometheus(folder: string, port: number, targets: readonly string[]): Promise<Prometheus> {
  await mkdir(folder, { recursive: true });
  const rules = join(folder, 'rules.yml');
  const config = join(folder, 'prometheus.yml');
  await writeFile(rules, quickened(readFileSync(RULES, 'utf8')));
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
      rule_files: [rules],
      scrape_configs: [{ job_name: 'e-library', static_configs: [{ targets }] }],
    }),
  );
  const program = debianProgram('prometheus', 'usr/bin/prometheus', 'PROMETHEUS');
  const address = `127.0.0.1:${port}`;
  const given = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=${address}`,
  ];
  const stop = await startService('Prometheus', program, given, `http://${address}/-/ready`);
  const firing = async () => {
    const { data } = alertsAnswer.parse(await (await fetch(`http://${address}/api/v1/alerts`)).json());
    return new Set(data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels.alertname));
  };
  return { firing, stop };
}

/** Returns the rules with durations in seconds. Their expressions and limits are unchanged. */
const quickened = (rules: string): string =>
  rules
    .replaceAll(/^( *for:) .*$/gm, `$1 ${FOR}`)
    .replaceAll(/\[\d+[mh]\]/g, `[${WINDOW}]`)
    .replaceAll(/offset \d+[mh]/g, `offset ${WINDOW}`);
