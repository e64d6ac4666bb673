/** Deviations of creating VPCs. */
import type { Fault } from './deviation.ts';
import type { Table } from './table.ts';
import { after, accepts, changesResponse, isAccepted, isFromApiKey, appliesThenRefuses, refuses } from './writes.ts';
import type { AppliesTo, Sent } from './writes.ts';

const ids = ['createVpc'] as const;

/** Returns another 2xx status. */
const statusWhere = (status: number, concerns: AppliesTo): Fault =>
  after(ids, (sent, ctx) => {
    if (isAccepted(ctx) && ctx.state.reply && concerns(sent, ctx)) ctx.state.reply = { ...ctx.state.reply, status };
  });

const leavesOut = (part: string): Fault =>
  changesResponse(ids, (returned) => {
    delete returned[part];
  });

const has = (sent: Sent, part: 'metadata' | 'spec'): boolean =>
  part === 'spec' ? sent.spec !== undefined : Object.keys(sent.metadata).length > 0;
const unnamed = (sent: Sent) => ({
  metadata: { ...sent.metadata, name: sent.metadata['name'] ?? nextName() },
  spec: sent.spec ?? {},
});

let names = 0;
const nextName = (): string => `vpc-without-name-${(names += 1)}`;

export const vpcsDeviations: Table = {
  'vpcs.create.answers-resource': {
    'returns 201 for a new VPC': statusWhere(201, () => true),
    'returns 202 for a new VPC to API keys': statusWhere(202, (_, ctx) => isFromApiKey(ctx)),
    'returns 201 for a VPC without labels': statusWhere(201, ({ metadata }) => metadata['labels'] === undefined),
    'refuses a VPC without labels': refuses(ids, ({ metadata }) => metadata['labels'] === undefined),
    'omits the status of a VPC': leavesOut('status'),
    'omits the events of a VPC': leavesOut('events'),
    "returns null as a VPC's events": changesResponse(ids, (returned) => {
      returned['events'] = null;
    }),
    'prefixes the name of a VPC with its workspace': changesResponse(ids, ({ metadata }) => {
      metadata['name'] = `demo-${String(metadata['name'])}`;
    }),
  },

  'vpcs.create.envelope-required': {
    'accepts a VPC without spec': accepts(ids, (sent) => has(sent, 'metadata') && !has(sent, 'spec'), unnamed),
    'generates metadata for a VPC without any': accepts(
      ids,
      (sent) => !has(sent, 'metadata') && has(sent, 'spec'),
      unnamed,
    ),
    'creates a VPC from an empty body': accepts(ids, (sent) => !has(sent, 'metadata') && !has(sent, 'spec'), unnamed),
    'accepts a VPC without spec from API keys': accepts(
      ids,
      (sent, ctx) => isFromApiKey(ctx) && has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
    'accepts a VPC whose spec is null': accepts(
      ids,
      ({ spec }) => spec === null,
      (sent) => ({ ...sent, spec: {} }),
    ),
    'refuses a VPC without spec only after it creates the VPC': appliesThenRefuses(
      ids,
      (sent) => has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
  },
};
