/** Faults in how VPCs are made. */
import { deviationsOf } from './table.ts';
import { after, accepts, answers, isAccepted, isFromApiKey, leavesBehind } from './writes.ts';
import type { Concerns, Sent } from './writes.ts';
import type { Deviation, Deviations } from './deviation.ts';

const ids = ['createVpc'] as const;

/** Answers another status of success. */
const statusWhere = (what: string, status: number, concerns: Concerns): Deviation =>
  after(what, ids, (sent, ctx) => {
    if (isAccepted(ctx) && ctx.state.reply && concerns(sent, ctx)) ctx.state.reply = { ...ctx.state.reply, status };
  });

const leavesOut = (what: string, part: string): Deviation =>
  answers(what, ids, (shown) => {
    delete shown[part];
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
    '': statusWhere('answers 201 for a new VPC', 201, () => true),
    'api-key': statusWhere('answers 202 for a VPC to callers with an API key', 202, (_, ctx) => isFromApiKey(ctx)),
    labels: statusWhere(
      'answers 201 for a VPC without labels',
      201,
      ({ metadata }) => metadata['labels'] === undefined,
    ),
    status: leavesOut('leaves the status of a VPC out', 'status'),
    events: leavesOut('leaves the events of a VPC out', 'events'),
    'no-events': answers('gives null for a VPC’s events', ids, (shown) => {
      shown['events'] = null;
    }),
    name: answers('answers a VPC under a name with the workspace before it', ids, ({ metadata }) => {
      metadata['name'] = `demo-${String(metadata['name'])}`;
    }),
  },

  'vpcs.create.envelope-required': {
    '': accepts('accepts a VPC without spec', ids, (sent) => has(sent, 'metadata') && !has(sent, 'spec'), unnamed),
    metadata: accepts(
      'makes up the metadata of a VPC without any',
      ids,
      (sent) => !has(sent, 'metadata') && has(sent, 'spec'),
      unnamed,
    ),
    empty: accepts(
      'makes a VPC of an empty body',
      ids,
      (sent) => !has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
    'api-key': accepts(
      'accepts a VPC without spec from callers with an API key',
      ids,
      (sent, ctx) => isFromApiKey(ctx) && has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
    null: accepts(
      'accepts a VPC whose spec is null',
      ids,
      ({ spec }) => spec === null,
      (sent) => ({ ...sent, spec: {} }),
    ),
    'left-behind': leavesBehind(
      'refuses a VPC without spec only after it is made',
      ids,
      (sent) => has(sent, 'metadata') && !has(sent, 'spec'),
      unnamed,
    ),
  },
});
