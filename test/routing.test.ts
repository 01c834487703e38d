import { EventEmitter } from 'node:events';
import { types, type Client, type ExecutionOptions, type Host, type HostMap } from 'cassandra-driver';
import { beforeEach, describe, expect, test } from 'vitest';
import { ConditionalToFirstReplica } from '../src/cassandra/driver-policies.ts';

/** The choice of a node for a statement, and the order of the others if it does not answer. */

const { serial, localSerial, localQuorum } = types.consistencies;

class Node {
  readonly isUpSince = null;
  inFlight = 0;
  responses = 1;
  isThere = true;
  readonly name: string;
  readonly datacenter: string;
  constructor(name: string, datacenter = 'here') {
    this.name = name;
    this.datacenter = datacenter;
  }
  readonly isUp = () => this.isThere;
  readonly getInFlight = () => this.inFlight;
  readonly getResponseCount = () => this.responses;
}

let nodes: Record<'first' | 'second' | 'third' | 'other' | 'far', Node>;
let policy: ConditionalToFirstReplica;

beforeEach(() => {
  nodes = {
    first: new Node('first'),
    second: new Node('second'),
    third: new Node('third'),
    other: new Node('other'),
    far: new Node('far', 'elsewhere'),
  };
  const { first, second, third, far } = nodes;
  const client = {
    getReplicas: () => [far, first, second, third],
    options: { localDataCenter: 'here' },
  } as unknown as Client;
  const hosts = Object.assign(new EventEmitter(), { values: () => Object.values(nodes) }) as unknown as HostMap;
  policy = new ConditionalToFirstReplica('here');
  policy.init(client, hosts, (error: Error | null) => {
    if (error) throw error;
  });
});

/** Returns the nodes that a statement is sent to, one after the other. */
function planOf(consistency: types.consistencies, serialConsistency?: types.consistencies): string[] {
  const options = {
    getRoutingKey: () => Buffer.from('key'),
    getKeyspace: () => undefined,
    getPreferredHost: () => null,
    getConsistency: () => consistency,
    getSerialConsistency: () => serialConsistency,
  } as unknown as ExecutionOptions;
  const plan: string[] = [];
  policy.newQueryPlan('keyspace', options, (_error, hosts) => {
    for (const host of { [Symbol.iterator]: () => hosts } as Iterable<Host>) plan.push((host as unknown as Node).name);
  });
  return plan;
}

describe.each([
  ['a conditional write', () => planOf(localQuorum, serial)],
  ['a serial read', () => planOf(serial)],
  ['a serial read of this data center', () => planOf(localSerial)],
])('%s', (_what, plan) => {
  test('is always sent to the first replica of this data center first, then to the others', () => {
    for (let time = 0; time < 20; time++) expect(plan()).toEqual(['first', 'second', 'third', 'other']);
  });

  test('skips a replica that accepts requests without answering, or is down', () => {
    Object.assign(nodes.first, { inFlight: 3, responses: 0 });
    expect(plan()).toEqual(['second', 'third', 'first', 'other']);
    nodes.second.isThere = false;
    expect(plan()).toEqual(['third', 'first', 'other']);
  });
});

test('other statements are spread over the replicas', () => {
  const asked = new Set(Array.from({ length: 100 }, () => planOf(localQuorum)[0]));
  expect(asked).toEqual(new Set(['first', 'second', 'third']));
});
