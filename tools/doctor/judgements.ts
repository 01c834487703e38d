import { NEEDED } from '../../src/cassandra/guardrails.ts';

/** Checks of the nodes of a cluster, from the facts that they report about themselves. */

/** The facts that a node reports about itself. */
export interface NodeFacts {
  readonly address: string;
  /** The version of Cassandra, for example `5.0.9`. */
  readonly version: string;
  /** Its settings, by name; null if one is unset. */
  readonly settings: ReadonlyMap<string, string | null>;
  /**
   * The minimum lead of its clock over this machine's, in milliseconds; negative if it is behind.
   */
  readonly clockAheadMs: number;
}

/** A judgement. Only `FAIL` means that servers will not work, or may lose acknowledged changes. */
export interface Judgement {
  readonly verdict: 'ok' | 'warn' | 'FAIL';
  readonly what: string;
  readonly found: string;
  /** The reason, and what to do; '' if all is well. */
  readonly advice: string;
}

/** The versions of Cassandra with which this release is tested. */
const TESTED_VERSION = '5.0.';
const OLDEST_VERSION = /^(?:4\.1|[5-9]|\d{2,})\./;
/** Servers make no changes while their clock differs by more than this. */
const CLOCK_FAIL_MS = 4_000;
const CLOCK_WARN_MS = 500;
/** Cassandra's guardrail: the share of the disk in percent from which a node refuses writes. */
const DISK_LIMIT = 'data_disk_usage_percentage_fail_threshold';
const DISK_PERCENT_MAX = 90;
const SYNCED = ['group', 'batch'];

/** Judges all nodes together. */
export function judgeNodes(nodes: readonly NodeFacts[]): Judgement[] {
  const [first] = nodes;
  if (!first) return [];
  return [
    ...nodes.flatMap(judgeVersion),
    ...judgePaxos(nodes),
    ...judgeLimits(nodes),
    ...nodes.map(judgeDisk),
    ...nodes.map(judgeClock),
  ];
}

function judgeVersion({ address, version }: NodeFacts): Judgement[] {
  const judged = { what: `version of ${address}`, found: version };
  if (version.startsWith(TESTED_VERSION)) return [{ ...judged, verdict: 'ok', advice: '' }];
  return OLDEST_VERSION.test(version)
    ? [
        {
          ...judged,
          verdict: 'warn',
          advice: 'This release is tested with 5.0. Try another version before production.',
        },
      ]
    : [
        {
          ...judged,
          verdict: 'FAIL',
          advice: 'Servers need Cassandra 4.1 or later, for its guardrails and Paxos v2. Upgrade it.',
        },
      ];
}

/** The settings on which conditional writes depend. */
const PAXOS: readonly { readonly name: string; readonly good: readonly string[]; readonly advice: string }[] = [
  {
    name: 'paxos_variant',
    good: ['v2'],
    advice:
      'v2 needs two round trips instead of four for a conditional write, ' +
      'and one instead of two for a serial read. Set it on all nodes.',
  },
  {
    name: 'paxos_state_purging',
    good: ['repaired'],
    advice:
      'With legacy, the state of Paxos expires after gc_grace_seconds. With v2 and repairs that ' +
      'include Paxos, set repaired.',
  },
  {
    name: 'commitlog_sync',
    good: SYNCED,
    advice:
      'With periodic, a power cut of most replicas at once may lose the writes of the last ' +
      'seconds, and with them an acknowledged change. Set group or batch.',
  },
];

const judgePaxos = (nodes: readonly NodeFacts[]): Judgement[] =>
  PAXOS.map(({ name, good, advice }) => {
    const values = valuesOf(nodes, name);
    const judged = { what: name, found: values.join(' and ') };
    if (values.length > 1) return { ...judged, verdict: 'FAIL', advice: 'All nodes must have the same.' };
    return good.includes(values[0] ?? '')
      ? { ...judged, verdict: 'ok', advice: '' }
      : { ...judged, verdict: 'warn', advice };
  });

/** Checks the limits that would refuse statements of a server. */
const judgeLimits = (nodes: readonly NodeFacts[]): Judgement[] =>
  NEEDED.map(({ name, isEnough, needed, because }) => {
    const values = valuesOf(nodes, name);
    const judged = { what: name, found: values.join(' and ') };
    if (!nodes.every(({ settings }) => isEnough(settings.get(name) ?? null)))
      return { ...judged, verdict: 'FAIL', advice: `It must be ${needed}: ${because}.` };
    return values.length === 1
      ? { ...judged, verdict: 'ok', advice: '' }
      : { ...judged, verdict: 'warn', advice: 'Give all nodes the same configuration.' };
  });

/** Checks whether a node refuses writes before its disk is full. */
function judgeDisk({ address, settings }: NodeFacts): Judgement {
  const judged = { what: `limit of the disk of ${address}`, found: settings.get(DISK_LIMIT) ?? 'unset' };
  const percent = Number(judged.found);
  return percent > 0 && percent <= DISK_PERCENT_MAX
    ? { ...judged, verdict: 'ok', advice: '' }
    : {
        ...judged,
        verdict: 'warn',
        advice:
          `Set ${DISK_LIMIT} to at most ${DISK_PERCENT_MAX}. Without it a node accepts writes until ` +
          'its disk is full, and then cannot even compact.',
      };
}

function judgeClock({ address, clockAheadMs }: NodeFacts): Judgement {
  const off = Math.abs(clockAheadMs);
  const verdict = off > CLOCK_FAIL_MS ? 'FAIL' : off > CLOCK_WARN_MS ? 'warn' : 'ok';
  return {
    verdict,
    what: `clock of ${address}`,
    found: `${(clockAheadMs / 1_000).toFixed(1)} s ahead of this machine's`,
    advice: verdict === 'ok' ? '' : 'Servers make no changes while a clock is wrong by 4 s. Check NTP there and here.',
  };
}

const valuesOf = (nodes: readonly NodeFacts[], name: string): string[] => [
  ...new Set(nodes.map(({ settings }) => settings.get(name) ?? 'unset')),
];
