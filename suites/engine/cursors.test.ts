import { expect, test } from 'vitest';
import { localServer } from '../testing/local-server.ts';
import { openTestRun } from '../testing/test-run.ts';

/** Three pages. `isKept`: whether a cursor is accepted, of those that the server has returned, newest first. */
function pagedServer(isKept: (age: number) => boolean) {
  const returned: { readonly cursor: string; readonly page: number }[] = [];
  return localServer(({ url }) => {
    const cursor = new URL(url, 'http://a').searchParams.get('cursor');
    const at = cursor === null ? undefined : returned.findIndex((each) => each.cursor === cursor);
    if (at !== undefined && (at < 0 || !isKept(at))) return { status: 400 };
    const page = at === undefined ? 1 : returned[at]!.page;
    const next = page < 3 ? `cursor-${returned.length}` : '';
    if (next !== '') returned.unshift({ cursor: next, page: page + 1 });
    return { body: { page, meta: { hasMore: next !== '', nextCursor: next } } };
  });
}

interface Body {
  readonly page?: number;
  readonly meta: { readonly nextCursor: string };
}

async function following(address: string) {
  const run = openTestRun({ address });
  return async (resourceType: string, cursor?: string) => {
    // In another order than the query before, as requestMetrics may send it.
    const query = cursor === undefined ? { resourceType, limit: 1 } : { cursor, resourceType, limit: 1 };
    const { response } = await run.client.call('getAccountMetrics', { query });
    return { status: response.status, body: (response.json ?? {}) as Body };
  };
}

test('a cursor that the server has dropped is replaced by that of a new walk', async () => {
  await using server = await pagedServer((age) => age === 0);
  const page = await following(server.address);
  const [one, other] = [await page('agent'), await page('job')];
  const second = await page('agent', one.body.meta.nextCursor);
  expect(second).toMatchObject({ status: 200, body: { page: 2 } });
  expect((await page('job', other.body.meta.nextCursor)).body.page).toBe(2);
  expect((await page('agent', second.body.meta.nextCursor)).body.page).toBe(3);
});

test('a server that refuses its own cursors is asked once more', async () => {
  await using server = await pagedServer(() => false);
  const page = await following(server.address);
  const { body } = await page('agent');
  expect((await page('agent', body.meta.nextCursor)).status).toBe(400);
  expect(server.received).toHaveLength(4);
});

test('a cursor that the server has not returned for the query is not replaced', async () => {
  await using server = await pagedServer((age) => age === 0);
  const page = await following(server.address);
  const { body } = await page('agent');
  expect((await page('agent', 'made-up')).status).toBe(400);
  await page('job');
  expect((await page('volume', body.meta.nextCursor)).status).toBe(400);
  expect(server.received).toHaveLength(4);
});
