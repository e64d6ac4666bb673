import { Readable } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { matchesRequest, type MatchableRequest } from './request-match.ts';

test('the body of a request is parsed once for all rules', async () => {
  const req = Readable.from([Buffer.from('{"a":{"b":1},"c":2}')], { objectMode: false });
  const ctx = { req, method: 'POST', path: '/', headers: {} } as unknown as MatchableRequest;
  const parse = vi.spyOn(JSON, 'parse');
  const matches = [{ a: { b: 1 } }, { c: 3 }, {}].map((body) => matchesRequest(ctx, { body }));
  expect(await Promise.all(matches)).toEqual([true, false, true]);
  expect(parse).toHaveBeenCalledTimes(1);
});
