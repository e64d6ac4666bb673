/** Deviations of creating VPCs. */
import { deviationsOf } from './table.ts';
import { after, accepts, changesResponse, isAccepted, isFromApiKey, appliesThenRefuses, refuses } from './writes.ts';
import type { AppliesTo, Sent } from './writes.ts';
import type { Deviation, Deviations } from './deviation.ts';

const ids = ['createVpc'] as const;

/** Returns another 2xx status. */
const statusWhere = (what: string, status: number, concerns: AppliesTo): Deviation =>
  after(what, ids, (sent, ctx) => {
    if (isAccepted(ctx) && ctx.state.reply && concerns(sent, ctx)) ctx.state.reply = { ...ctx.state.reply, status };
  });

const leavesOut = (what: string, part: string): Deviation =>
  changesResponse(what, ids, (returned) => {
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

export const vpcsDeviations: Deviations = deviationsOf({
  'vpcs.create.answers-resource': {
    '': statusWhere('Returns 201 for a new VPC', 201, () => true),
    'api-key': statusWhere('Returns 202 for a new VPC to API keys', 202, (_, ctx) => isFromApiKey(ctx)),
    labels: statusWhere(
      'Returns 201 for a VPC without labels',
      201,
      ({ metadata }) => metadata['labels'] === undefined,
    ),
    minimal: refuses('Refuses a VPC without labels', ids, ({ metadata }) => metadata['labels'] === undefined),
    status: leavesOut('Omits the status of a VPC', 'status'),
    events: leavesOut('Omits the events of a VPC', 'events'),
    'no-events': changesResponse("Returns null as a VPC's events", ids, (returned) => {
      returned['events'] = null;
    }),
    name: changesResponse('Prefixes the name of a VPC with its workspace', ids, ({ metadata }) => {
      metadata['name'] = `demo-${String(metadata['name'])}`;
    }),
  },

  'vpcs.create.envelope-required': {
    '': accepts('Accepts a VPC without spec', ids, (sent) => has(sent, 'metadata') && !has(sent, 'spec'), unnamed),
    metadata: accepts(
      'Generates metadata for a VPC without any',
      ids,
      (sent) => !has(sent, 'metadata') && has(sent, 'spec'),
      unnamed,
    ),
    empty: accepts(
      'Creates a VPC from an empty body',
      ids,
      (sent) => !has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
    'api-key': accepts(
      'Accepts a VPC without spec from API keys',
      ids,
      (sent, ctx) => isFromApiKey(ctx) && has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
    null: accepts(
      'Accepts a VPC whose spec is null',
      ids,
      ({ spec }) => spec === null,
      (sent) => ({ ...sent, spec: {} }),
    ),
    'left-behind': appliesThenRefuses(
      'Refuses a VPC without spec only after it creates the VPC',
      ids,
      (sent) => has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
  },
});
