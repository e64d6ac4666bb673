import { expect, test } from 'vitest';
import type { McpResponse } from '../kit/mcp/post.ts';
import type { Session } from '../kit/mcp/session.ts';
import { callAll, callTool, notFailed } from './tool-calls.ts';

const responseOf = (result: object): McpResponse =>
  ({ message: { result }, exchange: { response: { status: 200 } } }) as unknown as McpResponse;

/** Of a server that has these results, one after the other. Returns what it received. */
function sessionWith(...results: object[]): { session: Session; received: unknown[] } {
  const received: unknown[] = [];
  const request = async (_: string, params: unknown) => responseOf(results[received.push(params) - 1] ?? {});
  return { session: { request } as unknown as Session, received };
}

const call = { name: 'echo', arguments: { text: 'a' }, mirrored: {}, onlyReads: true };
const deferred = { resultType: 'input_required', requestState: 'state-1' };
const done = { resultType: 'complete', content: [] };

test('a call that the server defers is completed with the state of its response', async () => {
  const { session, received } = sessionWith(deferred, done);
  expect((await callTool(session, call)).message?.result).toEqual(done);
  expect(received.at(-1)).toEqual({ name: 'echo', arguments: { text: 'a' }, requestState: 'state-1' });
});

test.each([
  ['asks for input', { ...deferred, inputRequests: { name: {} } }],
  ['is complete', done],
])('a call that %s is sent once', async (_, result) => {
  const { session, received } = sessionWith(result);
  expect((await callTool(session, call)).message?.result).toEqual(result);
  expect(received).toHaveLength(1);
});

test.each([
  ['arguments that are refused', { text: 'a' }, -32_602, false],
  ['no arguments that are refused', {}, -32_602, true],
  ['an argument that names nothing, and is refused', { isDeep: true }, -32_602, true],
  ['arguments with which the server fails', { text: 'a' }, -32_603, true],
])('whether a call shows anything: %s', async (_, given, code, isTelling) => {
  const message = { error: { code, message: 'no' } };
  const request = async () => ({ message, exchange: { response: { status: 200, headers: {} } } });
  const called = await callAll({ request } as unknown as Session, [{ ...call, arguments: given }]);
  expect(called !== undefined).toBe(isTelling);
});

test.each([
  ['a result', done, 1],
  ['a result with isError', { ...done, isError: true }, 0],
  ['a request for input, which is not its result', { ...deferred, inputRequests: {} }, 0],
])('whether a call has failed: %s', (_, result, mismatches) => {
  expect(notFailed(responseOf(result), 'a call')).toHaveLength(mismatches);
});
