import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLateTokens } from './late-tokens.ts';

/** Sends requests to a target that accepts tokens so many milliseconds after it has issued them, unless a newer one revokes them. */
function senderTo(delayMs: number, { revokes = false, maxSeconds = 2 } = {}) {
  const issuedMs = new Map<string, number>();
  const tokens = createLateTokens((seconds) => wait(seconds * 100), maxSeconds);
  let sentCount = 0;
  const issue = async () => {
    const token = `token-${issuedMs.size}`;
    if (revokes) for (const each of issuedMs.keys()) issuedMs.set(each, Infinity);
    issuedMs.set(token, performance.now());
    const request = { method: 'POST', headers: { Authorization: 'Basic a' }, body: 'grant_type=client_credentials' };
    const text = JSON.stringify({ access_token: token });
    await tokens.send(request, async () => ({ status: 200, headers: {}, text }));
    return token;
  };
  const use = async (token: string) => {
    sentCount = 0;
    const request = { method: 'GET', headers: { 'X-Svc-Authorization': `Bearer ${token}` } };
    const { status } = await tokens.send(request, async () => {
      sentCount += 1;
      const isKnown = performance.now() >= (issuedMs.get(token) ?? Infinity) + delayMs;
      return { status: isKnown ? 200 : 401, headers: {}, text: '' };
    });
    return status;
  };
  return { issue, use, sentCount: () => sentCount };
}

test('a new token that is refused at first is sent again', async () => {
  const { issue, use } = senderTo(200);
  const token = await issue();
  expect([await use(token), await use(token)]).toEqual([200, 200]);
});

test('a token that is never accepted is refused, and later at once', async () => {
  const { issue, use, sentCount } = senderTo(Infinity, { maxSeconds: 0.3 });
  const token = await issue();
  expect(await use(token)).toBe(401);
  expect(sentCount()).toBeGreaterThan(2);
  expect([await use(token), sentCount()]).toEqual([401, 1]);
});

test('tokens that the run was not issued, and older ones that may be revoked, are not sent again', async () => {
  const { issue, use, sentCount } = senderTo(0, { revokes: true });
  const [first, second] = [await issue(), await issue()];
  for (const token of ['another', `${second}x`, first]) expect([await use(token), sentCount()]).toEqual([401, 1]);
  expect(await use(second)).toBe(200);
});
