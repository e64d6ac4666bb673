import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { localServer } from '../../testing/local-server.ts';
import type { LocalResponse, ReceivedRequest } from '../../testing/local-server.ts';
import { ADMIN, openTestRun } from '../../testing/test-run.ts';
import type { VariantOptions, RequestVariants } from './request-variants.ts';
import { requestVariants, assignVariants } from './request-variants.ts';

const key = { value: 'marked-key-secret', name: 'SVC_API_KEY' };
const member = { value: 'marked-member-secret', name: 'SVC_MEMBER_TOKEN' };
const admin = { value: ADMIN, name: 'SVC_ADMIN_TOKEN' };

/** The variants against a target that refuses one token, and with 400 what is in the query. */
async function variantsAgainst(refused?: string, options?: VariantOptions, invalid = /^$/): Promise<RequestVariants> {
  const respond = ({ headers, url }: ReceivedRequest): LocalResponse => ({
    status: headers.authorization === `Bearer ${refused}` ? 403 : invalid.test(url) ? 400 : 200,
  });
  await using server = await localServer(respond);
  const credentials = { admin, apiKey: key, member, scoped: {} };
  return await requestVariants(openTestRun({ address: server.address, target: { credentials } }), options);
}

const drawn = ({ any }: RequestVariants) => fc.sample(any, { numRuns: 200, seed: 1 });

test('a caller whose plain request is refused is not used', async () => {
  const variants = await variantsAgainst(key.value);
  const callers = [...variants.each, ...drawn(variants)].map(({ caller }) => caller);
  expect(new Set(callers)).toEqual(new Set(['strongest', 'member']));
});

test('only the strongest caller names a workspace', async () => {
  const variants = await variantsAgainst();
  const naming = [...variants.each, ...drawn(variants)].filter(
    ({ parameters }) => parameters.workspace !== undefined || parameters.groupBy?.split(',').includes('workspace'),
  );
  expect(new Set(naming.map(({ caller }) => caller))).toEqual(new Set(['strongest']));
});

test('every parameter occurs alone, except the excluded ones', async () => {
  const variants = await variantsAgainst(undefined, { excluded: ['limit'], resolutions: ['monthly'] });
  const single = variants.each.map(({ parameters }) => Object.keys(parameters)).filter(({ length }) => length === 1);
  const filters = ['resourceType', 'resourceName', 'resourceUuid', 'billingDimension', 'workspace'];
  expect(single.flat()).toEqual(['resolution', 'groupBy', ...filters]);
  const all = [...variants.each, ...drawn(variants)].map(({ parameters }) => parameters);
  expect(all.filter(({ limit }) => limit !== undefined)).toEqual([]);
  expect(new Set(all.map(({ resolution }) => resolution))).toEqual(new Set([undefined, 'monthly']));
});

test.each([
  ['every unknown uuid', /resourceUuid=/, []],
  ['the nil uuid', /resourceUuid=0000/, ['3f2b8a4e-5c1d-4e7f-9a6b-0d8c7e5f4a3b']],
])('a target that refuses %s is not sent it', async (_, invalid, left) => {
  const variants = await variantsAgainst(undefined, {}, invalid);
  const all = [...variants.each, ...drawn(variants)].map(({ parameters }) => parameters.resourceUuid);
  expect([...new Set(all)].filter((uuid) => uuid !== undefined)).toEqual(left);
});

test('lists with a workspace go to the strongest caller, the others rotate', async () => {
  const { each } = await variantsAgainst();
  const lists = ['workspace', 'resource_type,workspace', 'resource_type', 'resource_name', 'billing_dimension'];
  const callers = assignVariants(lists, each.slice(0, 3)).map(([, { caller }]) => caller);
  expect(callers).toEqual(['strongest', 'strongest', 'member', 'strongest', 'apiKey']);
});

test('the second page of the valid query comes last', async () => {
  const json = { summary: {}, data: [], meta: { hasMore: true, nextCursor: 'next' } };
  await using server = await localServer(() => ({ status: 200, body: json }));
  const credentials = { admin, scoped: {} };
  const run = openTestRun({ address: server.address, target: { credentials } });
  const refusedIn = { startTime: '2026-11-01T00:00:00Z', endTime: '2026-11-02T00:00:00Z' };
  const [base, { each }] = [await requestVariants(run), await requestVariants(run, { validQuery: refusedIn })];
  const parameters = { ...refusedIn, groupBy: 'resource_type', limit: 1, cursor: 'next' };
  expect(each).toEqual([...base.each, { caller: 'strongest', parameters }]);
});
