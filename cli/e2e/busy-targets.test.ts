/** Deployments that take one request of a kind at a time, or few within a time, do not fail because the run sends more; those that take none do. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { pickyTarget } from './testing/picky-target.ts';
import type { Busy, PickyOptions, PickyRequest } from './testing/picky-target.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const isTreeWrite = ({ method, path }: PickyRequest): boolean => method === 'PUT' && path.includes('/filesystem/');
const isCreate = ({ method, path }: PickyRequest): boolean =>
  method === 'POST' && /\/(vpcs|functions|connections)$/.test(path);
const isOfAgents = ({ method, path }: PickyRequest): boolean => method === 'POST' && /^\/[^/]+\/agents\//.test(path);

const ofTrees = ['sandbox.tree.nested-directories', 'sandbox.tree.size-in-bytes'] as const;
const ofCreates = ['vpcs.create.answers-resource', 'functions.create.with-connection'] as const;
const ofAgents = ['inference.agents.answers', 'inference.agents.threads-separate'] as const;
const later = { 'retry-after': '1' };

type Row = readonly [what: string, (request: PickyRequest) => boolean, busy: Busy, rules: readonly RequirementId[]];

const rows: readonly Row[] = [
  ['tree write, otherwise 423 with Retry-After', isTreeWrite, { status: 423, headers: later }, ofTrees],
  ['create, otherwise 409', isCreate, { status: 409 }, ofCreates],
  ['call of an agent, otherwise 409', isOfAgents, { status: 409 }, ofAgents],
  ['call of an agent, otherwise 503', isOfAgents, { status: 503, headers: later }, ofAgents],
];

async function verdictsOn(options: PickyOptions, rules: readonly RequirementId[]) {
  await using mock = await startMock({ sandboxUrls: 'path' });
  await using busy = await pickyTarget(mock.target, () => false, options);
  const outcomes = await runOnTarget({ ...busy.target, allow: 'write' }, { selected: rules, isQuick: true });
  return outcomes.map(({ result: { id, verdict } }) => [id, verdict]);
}

test.concurrent.each(rows)('a deployment that takes one %s does not fail', async (_, concerns, busy, rules) => {
  const found = await verdictsOn({ oneAtATime: { concerns, busy } }, rules);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rules.map((id) => [id, 'passed'])));
});

const isWrite = (request: PickyRequest): boolean => isTreeWrite(request) || isCreate(request);

test.concurrent.each([
  ['403 with Retry-After', { status: 403, headers: later }],
  ['400', { status: 400 }],
])('a deployment that takes few writes within a second, otherwise %s, does not fail', async (_, busy) => {
  const rules = busy.status === 400 ? ofCreates : ([...ofCreates, ...ofTrees] as const);
  const concerns = busy.status === 400 ? isCreate : isWrite;
  const found = await verdictsOn({ rateLimit: { concerns, count: 2, milliseconds: 1000, busy } }, rules);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(rules.map((id) => [id, 'passed'])));
});

const treeRules = [
  ...ofTrees,
  'sandbox.tree.write-keeps-others',
  'sandbox.tree.any-sequence-follows-the-model',
] as const;

test.concurrent.each([422, 507])('a sandbox whose disk is full after 20 writes (%d) does not fail', async (status) => {
  const full = { concerns: isTreeWrite, count: 20, milliseconds: Infinity, busy: { status } };
  const verdicts = (await verdictsOn({ rateLimit: full }, treeRules)).map(([, verdict]) => verdict);
  expect(verdicts).toContain('not-tried');
  expect(verdicts).not.toContain('failed');
  expect(verdicts).not.toContain('error');
});

test.concurrent.each([422, 507])('a sandbox that takes no write at all (%d) fails', async (status) => {
  const full = { concerns: isTreeWrite, count: 0, milliseconds: Infinity, busy: { status } };
  expect(await verdictsOn({ rateLimit: full }, ['sandbox.tree.write-answers-listing'])).toEqual([
    ['sandbox.tree.write-answers-listing', 'failed'],
  ]);
});

test.concurrent('a deployment that takes no create fails', async () => {
  const oneAtATime = { concerns: isCreate, busy: { status: 409 }, takesNone: true };
  expect(await verdictsOn({ oneAtATime }, ['vpcs.create.answers-resource'])).toEqual([
    ['vpcs.create.answers-resource', 'failed'],
  ]);
});
