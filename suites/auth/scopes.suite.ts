/** auth.scopes.*: the scopes that management operations accept. */
import * as fc from 'fast-check';
import { roundTripMismatches } from '../kit/agents/round-trip.ts';
import { conforms, observes } from '../engine/conforms.ts';
import type { CallerName, Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Fields } from '../json/fields.ts';
import { describeRefusal } from '../expect/describe-refusal.ts';
import { isInvalid, statusClass } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { agentToChange, updateWhenSettled } from '../kit/provision/agents.ts';
import { withAcceptedValues } from '../kit/agents/accepted-values.ts';
import { agentSpec } from '../kit/agents/agent-spec.ts';
import { specIn } from '../kit/agents/seen-update.ts';
import { putValid } from '../kit/agents/test-agent.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { harmlessRequests } from '../kit/versions/requests.ts';
import {
  markedUpdate,
  mergeSpecs,
  refusedUpdate,
  unauthorizedMismatches,
  withRefusedUpdates,
  returnedSpec,
} from '../kit/auth/agent-updates.ts';
import { bearersOf, carriersOf, withVersion } from '../kit/auth/carriers.ts';
import type { Stranger } from '../kit/auth/carriers.ts';
import { byName, unknownNames } from './every-request.ts';
import { checkRefused } from '../kit/auth/refused-writes.ts';
import { isOfResource, scopedTokens, tokensWithout } from './scoped-tokens.ts';
import type { ScopedToken } from './scoped-tokens.ts';
import { judges, judgesInOrder } from '../judge/judgement.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen, SeenCaller } from '../judge/seen.ts';
import { headerNames } from '../../spec/brand.ts';
import { requirement } from '../../spec/requirements/index.ts';
import { callerOf, refusedUpdateMismatches, notRefused } from '../kit/auth/seen-callers.ts';
import { tracedOperations, tracesOfRefused } from '../kit/auth/seen-traces.ts';
import { refusedWhileValid } from './seen-acceptance.ts';

/** The only scope of a caller. `unrelated`: one that is sufficient for no rule. */
function scopeOf(caller: SeenCaller): string | undefined {
  if (caller === 'unrelated') return caller;
  return typeof caller === 'object' ? caller.scope : undefined;
}

/** Agent updates of a caller whose scope suffices: 403 is documented for an insufficient permission. */
const acceptsUpdates = (isSufficient: (caller: SeenCaller) => boolean) => (facts: Facts) => {
  const judgeRefusals = refusedWhileValid((_, caller) => isSufficient(caller))(facts);
  return (seen: Seen): Judged => {
    const workspace = seen.header(headerNames(facts.brand).workspace);
    const isElsewhere = workspace !== undefined && workspace !== facts.workspace;
    const isConcerned = !isElsewhere && isSufficient(callerOf(seen, facts)) && seen.status === 403;
    // A gateway may block a request, without JSON, and a policy may forbid public agents.
    if (!isConcerned || seen.json === undefined || specIn(seen.sent)['public'] === true) return judgeRefusals(seen);
    return refusedStatusMismatches(seen.exchange, [403]);
  };
};

judgesInOrder(
  'auth.scopes.update-agent-accepts-agents-update',
  'updateAgent',
  acceptsUpdates((caller) => scopeOf(caller) === 'agents:update'),
);

judgesInOrder(
  'auth.scopes.update-agent-accepts-admin',
  'updateAgent',
  acceptsUpdates((caller) => caller === 'admin'),
);

judgesInOrder('auth.scopes.update-agent-refuses-others-403', tracedOperations, (facts) => {
  const isOther = (seen: Seen): boolean => {
    const scope = scopeOf(callerOf(seen, facts));
    return scope !== undefined && scope !== 'admin' && scope !== 'agents:update';
  };
  const judgeTraces = tracesOfRefused(isOther);
  return (seen) => {
    const traces = judgeTraces(seen);
    return seen.operation.id === 'updateAgent' && isOther(seen) ? refusedUpdateMismatches(seen, 403) : traces;
  };
});

judges(
  'auth.scopes.admin-is-the-default',
  requirement('auth.scopes.admin-is-the-default').operations,
  (seen, facts) => {
    const scope = scopeOf(callerOf(seen, facts));
    const mayBeSufficient = scope === undefined || scope === 'admin' || isOfResource(scope, seen.operation.id);
    return mayBeSufficient ? undefined : notRefused(seen);
  },
);

conforms('auth.scopes.update-agent-accepts-agents-update', async (run) => {
  await checkUpdateAccepted(
    run,
    { scoped: 'agents:update' },
    run.target.credentials.scoped['agents:update']?.value ?? '',
  );
});

conforms('auth.scopes.update-agent-accepts-admin', async (run) => {
  await checkUpdateAccepted(run, 'admin', run.target.credentials.admin?.value ?? '');
});

/** Changes of an update by name. None requires another scope. */
const changes: Readonly<Record<string, Fields>> = {
  nothing: {},
  'whether it is enabled': { enabled: true },
  triggers: { triggers: [{ type: 'http', configuration: { path: '/assay/callers' } }] },
  policies: { policies: [] },
  'environment variables': { runtime: { envs: [{ name: 'ASSAY', value: 'assay' }] } },
  'how it scales': { runtime: { minScale: 0, maxScale: 2 } },
};

async function checkUpdateAccepted(run: Run, caller: CallerName, token: string): Promise<void> {
  // Before anything is created with that credential: the request is valid, except that the agent does not exist.
  const unknownAgent = {
    path: unknownNames(run, 'updateAgent'),
    body: { metadata: { name: run.unknownName }, spec: agentSpec(run) },
  };
  run.check(refusedStatusMismatches(await run.as(caller).call('updateAgent', unknownAgent), [401]));
  // An agent that updates may change, not only the strongest credential: that may be the credential under test.
  const name = await agentToChange(run);
  const agent = { name, spec: await returnedSpec(run, name) };
  const headers = Object.values(carriersOf(run)).map(
    (carrier) => [carrier.name, carrier.with(`Bearer ${token}`)] as const,
  );
  // Each is a deployment: every change once, by one header and the other in turn.
  const examples = ['nothing', ...Object.keys(changes)].map((change, index) => ({
    change,
    carrier: headers[index % headers.length]?.[0] ?? '',
  }));
  let updates = 0;
  await run.forAll(
    { change: fc.constantFrom(...Object.keys(changes)), carrier: fc.constantFrom(...headers.map(([each]) => each)) },
    async ({ change, carrier }) => {
      const spec = changes[change] ?? {};
      const send = async () => {
        const sent: Fields = withAcceptedValues(run, spec);
        const update = markedUpdate(agent, run.newName(), mergeSpecs(agent.spec, sent));
        const ofCarrier = { ...update, headers: Object.fromEntries(headers)[carrier] ?? {} };
        const exchange = await updateWhenSettled(run, run.as(caller), ofCarrier);
        const sendAsOther = () => updateAsOther(run, caller, update);
        const control = isSuccessful(exchange) || change === 'nothing' ? undefined : await sendAsOther();
        return { sent, update, exchange, sendAsOther, control };
      };
      let last = await send();
      if (change !== 'nothing' && isInvalid(last.exchange) && (last.control === undefined || isInvalid(last.control))) {
        // What the run has made up may be refused from every caller.
        const valid = await putValid(run, { name, generation: 'mk2' }, spec);
        const refused = `an agent that accepts ${change} (${describeRefusal(valid.exchange)})`;
        if (!isSuccessful(valid.exchange)) return run.skipInput(valid.missing ?? refused);
        last = await send();
      }
      const { sent, update, exchange, sendAsOther, control } = last;
      if (!isSuccessful(exchange)) return refusalMismatches(exchange, control);
      updates += 1;
      const { metadata } = update.body as { metadata: object };
      return lostUpdateMismatches({ metadata, spec: sent }, exchange, sendAsOther);
    },
    { runs: 0, examples },
  );
  run.need(updates > 0, 'an agent update that is accepted');
}

/** The same update with another full credential, if there is one. */
async function updateAsOther(run: Run, caller: CallerName, update: CallInput): Promise<Exchange | undefined> {
  const { apiKey } = run.target.credentials;
  if (caller === 'admin' && apiKey === undefined) return undefined;
  return updateWhenSettled(run, caller === 'admin' ? run.as('apiKey') : run.client, update);
}

/** A refusal for every caller is not about the scope. `control`: the same update by another caller. */
function refusalMismatches(exchange: Exchange, control: Exchange | undefined): Mismatch[] {
  if (control === undefined) return refusedStatusMismatches(exchange, [401, 403]);
  return isSuccessful(control) ? statusClass(exchange, '2xx') : [];
}

/** An update without effect, although the same update by another caller takes effect. */
async function lostUpdateMismatches(
  sent: object,
  exchange: Exchange,
  sendAsOther: () => Promise<Exchange | undefined>,
): Promise<Mismatch[]> {
  const mismatches = roundTripMismatches(sent, exchange);
  const control = mismatches.length === 0 ? undefined : await sendAsOther();
  if (control === undefined || !isSuccessful(control) || roundTripMismatches(sent, control).length > 0) return [];
  return mismatches;
}

const refusedStatusMismatches = (exchange: Exchange, refusals: readonly number[]): Mismatch[] =>
  refusals.includes(exchange.response.status)
    ? [{ expected: `no status ${refusals.join(' or ')}`, actual: `status ${exchange.response.status}`, exchange }]
    : [];

conforms('auth.scopes.update-agent-refuses-others-403', async (run) => {
  const bearers = (await tokensWithoutUpdate(run)).map((each) => bearersOfScope(run, each));
  const others = [...bearers.flat(), ...ofVersion(run, bearers)];
  const examples = others.flatMap(({ who }) => Object.keys(changes).map((change) => ({ who, change })));
  await withRefusedUpdates(run, (agent, mark) =>
    run.forAll(
      { who: fc.constantFrom(...others.map(({ who }) => who)), change: fc.constantFrom(...Object.keys(changes)) },
      async ({ who, change }) => {
        const update = refusedUpdate(run, agent, mark, changes[change]);
        const other = others.find((each) => each.who === who);
        return other === undefined ? [] : unauthorizedMismatches(run, 403, () => other.send('updateAgent', update));
      },
      { runs: 0, examples },
    ),
  );
  await undefinedIfNotTried(checkMk3Refused(run, others));
});

/** The same of an mk3 agent, once for each token. */
const checkMk3Refused = (run: Run, others: readonly Stranger[]): Promise<void> =>
  withRefusedUpdates(
    run,
    async (agent, mark) => {
      const byCaller = new Map(others.map((other) => [other.who, other]));
      const update = refusedUpdate(run, agent, mark);
      await run.forEach([...byCaller.keys()], (who) =>
        unauthorizedMismatches(run, 403, () => byCaller.get(who)!.send('updateAgent', update), 'mk3'),
      );
    },
    'mk3',
  );

/** Tokens with other scopes, including agents:* except agents:update. */
async function tokensWithoutUpdate(run: Run) {
  const others = [
    ...(await tokensWithout(run, 'updateAgent')),
    ...(await scopedTokens(run)).filter(({ scope }) => scope.startsWith('agents:') && scope !== 'agents:update'),
  ];
  run.need(others.length > 0, 'noscope');
  return others;
}

conforms('auth.scopes.admin-is-the-default', async (run) => {
  const others = await Promise.all(run.rule.operations.map((id) => tokensWithout(run, id)));
  run.need(others.flat().length, 'noscope');
  await checkRefused(run, run.rule.operations, async (id) => {
    const bearers = (await tokensWithout(run, id)).map((each) => bearersOfScope(run, each));
    return [...ofVersion(run, bearers), ...inTurn(bearers)];
  });
});

const bearersOfScope = (run: Run, { scope, token }: ScopedToken): Stranger[] =>
  bearersOf(run, `a token with ${scope} only`, token);

/** The first one, who also names a version. */
const ofVersion = (run: Run, bearers: readonly Stranger[][]): Stranger[] =>
  bearers.slice(0, 1).flatMap((both) => both.slice(0, 1).map((each) => withVersion(run, each)));

/** Both headers for the first token, and one or the other for each other token. */
const inTurn = (bearers: readonly Stranger[][]): Stranger[] =>
  bearers.flatMap((both, index) => (index === 0 ? both : both.slice(index % 2, (index % 2) + 1)));

observes('auth.scopes.what-each-operation-accepts', async (run) => {
  const tokens = await scopedTokens(run);
  run.need(tokens.length > 0, 'a credential with a single scope: add credentials.scoped or client to the target file');
  const requests = byName(harmlessRequests(run));
  const observe = async (name: string) => {
    const { id, input } = requests.get(name)!;
    for (const { scope, token } of tokens) {
      const { status: code } = (await run.as({ token }).call(id, input())).response;
      const refused = code === 401 || code === 403 ? code : null;
      run.observe(`${id} with ${scope} alone`, { operation: id, scope, refused });
    }
    return [];
  };
  await run.forEach([...requests.keys()], observe, { sequential: true });
});
