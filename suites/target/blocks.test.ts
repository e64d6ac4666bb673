import { expect, test } from 'vitest';
import { createBlocks } from './blocks.ts';
import type { WireRequest } from './request-types.ts';
import type { Tokens } from './token.ts';
import { NotTried } from './violation.ts';

interface Refusal {
  readonly status: number;
  readonly type?: string;
  readonly text?: string;
}

const PAGE: Refusal = { status: 403, type: 'text/html', text: '<h1>Blocked for 3 seconds</h1>' };
const ERROR: Refusal = { status: 403, type: 'application/json', text: '{"error":"Forbidden","code":403}' };

interface ServerOptions {
  readonly refusal?: Refusal;
  /** For how many requests it refuses everything after ten responses 401. Defaults to 3. */
  readonly blockedCount?: number;
  /** The response to a wrong credential. */
  readonly wrong?: Refusal;
}

/** A target that refuses everything after ten responses 401. */
function blockingTarget({ refusal = PAGE, blockedCount = 3, wrong = { status: 401 } }: ServerOptions = {}) {
  const sent: string[] = [];
  let wrongCount = 0;
  let blocked = 0;
  const respond = (credential: string | undefined): Refusal => {
    sent.push(credential ?? 'none');
    if (blocked > 0) {
      blocked -= 1;
      return refusal;
    }
    if (credential !== undefined) return { status: 200, type: 'application/json', text: '{}' };
    wrongCount += 1;
    if (wrongCount % 10 === 0) blocked = blockedCount;
    return wrongCount <= 5 ? { status: 401 } : wrong;
  };
  const responseTo = (credential: string | undefined) => {
    const { status, type = 'application/json', text = '' } = respond(credential);
    return { status, headers: { 'content-type': type }, text, repeatedAfter: [] };
  };
  const blocks = createBlocks({ send: async () => responseTo('control') }, { maxSeconds: 2 });
  const request = { origin: 'http://a', headers: {} };
  const send = async (credential?: string, method = 'GET', path = '/v0/agents'): Promise<number> => {
    const wire = { ...request, method, path, credential };
    return (await blocks.send(wire, async () => responseTo(credential))).status;
  };
  const sendWrong = async (count: number): Promise<number[]> => {
    const statuses = [];
    for (let at = 0; at < count; at += 1) statuses.push(await send());
    return statuses;
  };
  return { send, sendWrong, sent };
}

const all = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

test.each([PAGE, ERROR, { status: 503 }])(
  'what is refused during a block is sent again after it (%o)',
  async (refusal) => {
    const { send, sendWrong } = blockingTarget({ refusal });
    expect(await send('admin')).toBe(200);
    expect(await sendWrong(10)).toEqual(all(10, 401));
    expect(await send('admin')).toBe(200);
    expect(await sendWrong(10)).toEqual(all(10, 401));
    expect(await sendWrong(5)).toEqual(all(5, 401));
  },
);

test('a valid credential that is refused with 401 during a block is sent again', async () => {
  const { send, sendWrong } = blockingTarget({ refusal: { status: 401 } });
  await send('admin');
  await sendWrong(10);
  expect(await send('admin')).toBe(200);
});

test('a write of a kind that was accepted before is sent again, also if the refusal is JSON', async () => {
  const { send, sendWrong } = blockingTarget({ refusal: ERROR });
  await send('admin');
  await send('admin', 'PUT', '/v0/agents/one');
  await sendWrong(10);
  expect(await send('admin', 'PUT', '/v0/agents/other')).toBe(200);
});

test('a block that does not end is named, and waited for once', async () => {
  const { send, sendWrong } = blockingTarget({ blockedCount: Infinity });
  await send('admin');
  await sendWrong(10);
  await expect(send('admin')).rejects.toThrow(NotTried);
  const started = performance.now();
  await expect(send('admin')).rejects.toThrow('does not block the run after wrong credentials (status 403');
  expect(performance.now() - started).toBeLessThan(1000);
});

test('a target that refuses wrong credentials with 403 is not blocked, which one more request shows', async () => {
  const { send, sendWrong, sent } = blockingTarget({ wrong: ERROR, blockedCount: 0 });
  await send('admin');
  expect(await sendWrong(20)).toEqual([...all(5, 401), ...all(15, 403)]);
  expect(sent.filter((each) => each === 'control')).toHaveLength(1);
});

test('refusals of a credential without permissions cost no request', async () => {
  const { send, sendWrong, sent } = blockingTarget({ refusal: ERROR, blockedCount: 1 });
  await send('admin');
  await sendWrong(10);
  expect(await send('unrelated', 'PUT')).toBe(403);
  expect(sent).not.toContain('control');
});

const ENDED: Partial<Tokens> = { hasEnded: (token) => token === 'ended-token', valid: async (token) => token };
const accepted = { status: 200, headers: {}, text: '{}', repeatedAfter: [] };
const wrong = { ...accepted, status: 401 };

/** A run whose token is accepted at first, and ends after three wrong credentials. */
async function runWithEnded(tokens: Partial<Tokens>, controlStatus: (headers: object) => number) {
  const controls: object[] = [];
  const send = async ({ headers }: WireRequest) => {
    controls.push(headers);
    return { ...accepted, status: controlStatus(headers) };
  };
  const blocks = createBlocks({ send }, { maxSeconds: 2, tokens: tokens as Tokens });
  const headers = { Authorization: 'Bearer ended-token' };
  const own = { origin: 'http://a', headers, method: 'GET', path: '/v0/agents', credential: 'admin' };
  await blocks.send(own, async () => accepted);
  const other = { ...own, headers: {}, credential: undefined };
  for (let at = 0; at < 3; at += 1) await blocks.send(other, async () => wrong);
  return { blocks, own, other, controls };
}

test('the refusal of a token that has ended is no block: it is returned at once', async () => {
  const { blocks, own, controls } = await runWithEnded(ENDED, () => 401);
  expect(await blocks.send(own, async () => wrong)).toMatchObject({ status: 401 });
  expect(controls).toEqual([]);
});

test('a request whose token has ended shows no block of others', async () => {
  const { blocks, other, controls } = await runWithEnded(ENDED, () => 401);
  const page = { ...accepted, status: 403, headers: { 'content-type': 'text/html' } };
  for (let at = 0; at < 3; at += 1) expect(await blocks.send(other, async () => page)).toMatchObject({ status: 403 });
  expect(controls).toHaveLength(1);
});

test('a block is found out with a token that was renewed meanwhile', async () => {
  const tokens = { ...ENDED, valid: async () => 'renewed-token' };
  const isRenewed = (headers: object) => JSON.stringify(headers).includes('renewed-token');
  const { blocks, other, controls } = await runWithEnded(tokens, (headers) => (isRenewed(headers) ? 200 : 401));
  const page = { ...accepted, status: 403, headers: { 'content-type': 'text/html' } };
  expect(await blocks.send(other, async () => page)).toMatchObject({ status: 403 });
  expect(controls).toEqual([{ Authorization: 'Bearer renewed-token' }]);
});

test('a stream is not opened again to find out whether the run is blocked', async () => {
  const controls: string[] = [];
  const blocks = createBlocks({
    send: async ({ path }) => {
      controls.push(path);
      return accepted;
    },
  });
  const request = { origin: 'http://a', headers: {}, method: 'GET', credential: 'admin' };
  await blocks.send({ ...request, path: '/filesystem/tree/tmp' }, async () => accepted);
  await blocks.send({ ...request, path: '/watch/filesystem/tmp' }, async () => ({ status: 200, headers: {} }));
  const anonymous = { ...request, path: '/filesystem/tree/tmp', credential: undefined };
  for (const status of [401, 401, 401, 403])
    await blocks.send(anonymous, async () => ({ ...accepted, status, headers: { 'content-type': 'text/html' } }));
  expect(controls).toEqual(['/filesystem/tree/tmp']);
});
