/** oauth.code.*: an authorization code can be exchanged once. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { requestToken, tokenResponse } from '../kit/oauth/token-requests.ts';
import { exchangeCode, newCode } from '../kit/oauth/grants.ts';

/** With and without PKCE: a server may require or not support it. One of the two must work. */
const ways = [
  { pkce: true, used: false },
  { pkce: true, used: true },
  { pkce: false, used: false },
  { pkce: false, used: true },
];

conforms('oauth.code.good-once', async (run) => {
  const { status: refused, error } = run.rule.values;
  let exchanged = 0;
  for (const { pkce, used } of ways) {
    const code = await undefinedIfNotTried(newCode(run, { pkce }));
    if (code === undefined) continue;
    const first = await exchangeCode(run, code);
    if (first.response.status !== 200) continue;
    exchanged += 1;
    if (used) await use(run, first);
    for (let time = 2; time <= TIMES; time += 1) run.check(usedUp(await exchangeCode(run, code), refused, error));
  }
  run.need(exchanged > 0, 'a code that is exchanged for a token');
  run.check(await onceAtATime(run));
});

const TIMES = 3;

/** The access token and the refresh token issued for the code. */
async function use(run: Run, first: Exchange): Promise<void> {
  const { access_token: token = '', refresh_token } = tokenResponse(first);
  await run.as({ token }).call('listAccounts');
  if (refresh_token !== undefined) await requestToken(run, { grant_type: 'refresh_token', refresh_token });
}

/** Two concurrent exchanges: at most one succeeds. */
async function onceAtATime(run: Run): Promise<Mismatch[]> {
  const code = await newCode(run);
  const both = await Promise.all([exchangeCode(run, code), exchangeCode(run, code)]);
  const [, second] = both.filter(({ response }) => response.status === 200);
  return second === undefined
    ? []
    : [
        {
          expected: 'one token from two concurrent exchanges',
          actual: 'two',
          exchange: second,
          concurrent: both.slice(0, 1),
        },
      ];
}

function usedUp(exchange: Exchange, refused: number, error: string): Mismatch[] {
  const reported = tokenResponse(exchange).error;
  const wrong = { expected: `error ${error}`, actual: `error ${reported ?? 'absent'}`, exchange };
  return [...status(exchange, refused), ...(reported === error ? [] : [wrong])];
}
