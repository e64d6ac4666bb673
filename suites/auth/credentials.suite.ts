/** auth.credentials.*: a token that has expired is rejected, like any other invalid credential. */
import { setTimeout as wait } from 'node:timers/promises';
import { operation } from '../../spec/operations.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { NotTried, Violation, conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isRefused } from '../expect/status.ts';
import { refusedUpdate, unauthorizedMismatches, withRefusedUpdates } from '../kit/auth/agent-updates.ts';
import { bearersOf } from '../kit/auth/carriers.ts';
import type { Stranger } from '../kit/auth/carriers.ts';
import { notRefusedMismatches } from '../kit/auth/refused.ts';
import { checkRefused } from '../kit/auth/refused-writes.ts';
import { ownGrant } from '../kit/oauth/grants.ts';
import { tokenResponse } from '../kit/oauth/token-requests.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { readJwt } from '../generators/tampered-jwt.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { serverTimeOf, type Facts, type Seen } from '../judge/seen.ts';
import { callerOf, refusedUpdateMismatches, notRefused } from '../kit/auth/seen-callers.ts';
import { tracesOfRefused } from '../kit/auth/seen-traces.ts';
import { agentOperations, seenAgents } from './seen-agents.ts';
import { closedRequests } from './data-plane-requests.ts';
import { byName, sendDataPlane } from './every-request.ts';
import { eventually, isAwake, isSuccessful } from '../target/eventually.ts';

const expiredOfRun = sharedValue<ExpiredToken>();

judgesInOrder(
  'auth.credentials.expired-refused',
  [...agentOperations, ...requirement('auth.credentials.expired-refused').operations],
  (facts) => {
    const agents = seenAgents(facts);
    const isExpired = (seen: Seen): boolean => callerOf(seen, facts) === 'expired' && !mayBeValid(seen, facts);
    const judgeTraces = tracesOfRefused(isExpired);
    return (seen) => {
      const { id } = seen.operation;
      const isAgent = agentOperations.some((each) => each === id);
      if (isAgent) agents.note(seen);
      const traces = isAgent ? judgeTraces(seen) : undefined;
      if (id === 'getAgent' || !isExpired(seen)) return traces;
      if (id === 'updateAgent') return refusedUpdateMismatches(seen, 401);
      // A public agent may serve everybody.
      return id === 'queryAgent' && !agents.isMk2(seen) ? undefined : notRefused(seen);
    };
  },
);

const { leewaySeconds } = requirement('auth.credentials.expired-refused').values;

/** Whether the recording may be so old that the expired token of the target file had not expired. */
function mayBeValid(seen: Seen, { credentials }: Facts): boolean {
  const { exp } = readJwt(credentials.expired?.value ?? '')?.payload ?? {};
  return typeof exp === 'number' && !((serverTimeOf(seen) ?? NaN) >= (exp + leewaySeconds) * 1000);
}

conforms('auth.credentials.expired-refused', async (run) => {
  const { token, expiredAt } = await expiredOfRun.get(run, () => expiredToken(run));
  try {
    await checkExpired(run, bearersOf(run, 'an expired token', token));
  } catch (error) {
    if (error instanceof Violation && isWithinLeeway(run, expiredAt)) throw mayBeLeeway(run, expiredAt);
    throw error;
  }
});

type OwnRun = Run<ReturnType<typeof requirement<'auth.credentials.expired-refused'>>>;

interface ExpiredToken {
  readonly token: string;
  /** In milliseconds since the epoch. */
  readonly expiredAt: number;
}

const LONG_AGO = 0;

/** The token of the target file, or one of the client that expires while the run waits. Throws NotTried if there is neither. */
async function expiredToken(run: OwnRun): Promise<ExpiredToken> {
  const { expired } = run.target.credentials;
  if (expired !== undefined) return { token: expired.value, expiredAt: LONG_AGO };
  const response = run.target.client && (await undefinedIfNotTried(ownGrant(run)));
  const { access_token: token, expires_in: lifetime = Infinity } = response ? tokenResponse(response) : {};
  if (token === undefined || lifetime > run.patienceSeconds)
    throw new NotTried(
      `credentials.expired in the target file, or a client whose tokens expire within ${run.patienceSeconds} s (--patience)`,
      'expired',
    );
  const expiredAt = Date.now() + lifetime * 1000;
  const list = () => run.as({ token }).call('listAccounts');
  const before = await list();
  run.need(before.response.status !== 401, 'a token of the client that is accepted before it expires');
  await wait(lifetime * 1000);
  // A scope that does not include this operation is refused even before the token expires.
  const isExpired = (exchange: Exchange): boolean =>
    isSuccessful(before) ? isRefused(exchange) : exchange.response.status === 401;
  const after = await eventually(list, isExpired, run.patienceSeconds);
  if (!isExpired(after) && isWithinLeeway(run, expiredAt)) throw mayBeLeeway(run, expiredAt);
  return { token, expiredAt };
}

/** Servers may allow for clocks that differ: "usually no more than a few minutes" (RFC 7519 section 4.1.4). */
const isWithinLeeway = ({ rule }: OwnRun, expiredAt: number): boolean =>
  Date.now() - expiredAt < rule.values.leewaySeconds * 1000;

const mayBeLeeway = ({ rule }: OwnRun, expiredAt: number): NotTried =>
  new NotTried(
    `more patience: a token was accepted ${Math.round((Date.now() - expiredAt) / 1000)} s after it expired, and servers may ` +
      `allow ${rule.values.leewaySeconds} s for clocks that differ`,
  );

async function checkDataPlane(run: Run, expired: readonly Stranger[]): Promise<void> {
  const requests = byName(closedRequests(run));
  await run.forEach([...requests.keys()], async (name) => {
    const each = requests.get(name)!;
    const input = await undefinedIfNotTried(each.input(run.client));
    if (input === undefined) return [];
    const whenAwake = (send: () => Promise<Exchange>) => eventually(send, isAwake, run.patienceSeconds);
    // First, because an agent or sandbox may have to start, and sends 503 to every caller until then.
    const control = await undefinedIfNotTried(whenAwake(() => sendDataPlane(run.client, each, input)));
    const sendAs = (stranger: Stranger): Promise<Exchange> =>
      each.streams === true ? stranger.sendForHead(each.id, input) : stranger.send(each.id, input);
    const exchanges = await Promise.all(expired.map((stranger) => whenAwake(() => sendAs(stranger))));
    // A control that is refused says as little as a response of the stranger that is no success.
    return exchanges.flatMap((exchange, at) => notRefusedMismatches(exchange, expired[at]!.who, control ?? exchange));
  });
}

async function checkExpired(run: OwnRun, expired: readonly Stranger[]): Promise<void> {
  const others = run.rule.operations.filter((id) => operation(id).surface === 'management' && id !== 'updateAgent');
  await checkRefused(run, others, async () => expired);
  await checkDataPlane(run, expired);
  if (run.target.allow === 'read') return;
  const updates = withRefusedUpdates(run, (agent, mark) =>
    run.forEach(
      expired.map(({ who }) => who),
      async (who) => {
        const caller = expired.find((each) => each.who === who)!;
        return unauthorizedMismatches(run, 401, () => caller.send('updateAgent', refusedUpdate(run, agent, mark)));
      },
    ),
  );
  await undefinedIfNotTried(updates);
}
