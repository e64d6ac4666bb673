/** auth.public-agent.*: agents of generation mk3 that need no credential while they are public. */
import type { Spec } from '../kit/agents/accepted-values.ts';
import { putValid } from '../kit/agents/test-agent.ts';
import { mayOmitRuntime, hasMk2 } from '../kit/agents/without-runtime.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { describeRefusal } from '../expect/describe-refusal.ts';
import { isInvalid, isRefused, statusClass } from '../expect/status.ts';
import { fieldsOf } from '../json/fields.ts';
import { queryAgent } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import { markedUpdate, newMark, updatableAgent } from '../kit/auth/agent-updates.ts';
import { carriersOf, strangersOf } from '../kit/auth/carriers.ts';
import {
  queryWithoutCredential,
  canBeJudged,
  waitUntilPrivate,
  notPrivateMismatches,
  notPublicMismatches,
  waitUntilPublic,
  queryUntilPublic,
  queryUntilDeployed,
  publish,
  publishableAgent,
  unpublish,
} from '../kit/auth/publication.ts';
import type { Publishable } from '../kit/auth/publication.ts';
import { notRefusedMismatches } from '../kit/auth/refused.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { isStranger, notRefused } from '../kit/auth/seen-callers.ts';
import { agentOperations, seenAgents } from './seen-agents.ts';
import { refusedUpdates, waitForEffect } from '../kit/auth/refused-updates.ts';
import { inNewThread } from '../kit/new-thread.ts';

conforms('auth.public-agent.open-when-public', async (run) => {
  const agent = await publishableAgent(run, 'mk3');
  const tests: Readonly<Record<string, () => Promise<Mismatch[]>>> = {
    'opened once': () => openedMismatches(run, agent),
    'opened again, with triggers': () => openedAgainMismatches(run, agent),
  };
  try {
    await run.forEach(Object.keys(tests), (name) => tests[name]!());
  } finally {
    await unpublish(run, agent);
  }
});

async function openedMismatches(run: Run, agent: Publishable): Promise<Mismatch[]> {
  const found = await openingMismatches(run, agent, {});
  if (found.length > 0) return found;
  const inThread = await queryUntilPublic(run, agent, inNewThread(run));
  return [
    ...notPublicMismatches(inThread, 'in a thread, as it is without one'),
    ...(await otherAgentMismatches(run, agent)).flat(),
    ...(await updateMismatches(run, agent)),
    ...(await credentialMismatches(run, agent)),
  ];
}

/** Closed in between, since an older deployment may still respond. */
async function openedAgainMismatches(run: Run, agent: Publishable): Promise<Mismatch[]> {
  if (isSuccessful(await publish(run, agent, true))) await queryUntilPublic(run, agent);
  await publish(run, agent, false);
  await waitUntilPrivate(run, agent);
  return openingMismatches(run, agent, { triggers: [{ type: 'http', configuration: { path: '/assay/callers' } }] });
}

/**
 * A mismatch only if the same update with public false is accepted, or callers with a credential are accepted. Throws NotTried if
 * only public true is forbidden (403): a policy may say so.
 */
async function openingMismatches(run: Run, agent: Publishable, more: Spec): Promise<Mismatch[]> {
  const publishWith = (isPublic: boolean): Promise<Exchange> => publish(run, agent, isPublic, more);
  let update = await publishWith(true);
  if (isInvalid(update) && isInvalid(await publishWith(false))) {
    // What the run has made up may be refused, whether the agent is public or not.
    const { exchange, missing } = await putValid(run, { name: agent.name, generation: 'mk3' }, more);
    const refused = `an agent of generation mk3 whose update is accepted (${describeRefusal(exchange)})`;
    if (!isSuccessful(exchange)) return run.skipInput(missing ?? refused);
    update = await publishWith(true);
  }
  if (!isSuccessful(update)) {
    const control = await publishWith(false);
    run.need(isSuccessful(control), 'an agent of generation mk3 whose update is accepted');
    run.need(update.response.status !== 403, 'a workspace that allows public agents (403 to public: true)');
    return statusClass(update, '2xx');
  }
  const exchange = await waitUntilPublic(run, agent);
  if (!isSuccessful(exchange)) await needDeployed(run, agent, exchange);
  return notPublicMismatches(exchange, 'once public is true').map((found) => ({ ...found, before: [update] }));
}

/** Throws NotTried if the agent is still being deployed at the timeout. */
async function needDeployed(run: Run, agent: Publishable, exchange: Exchange): Promise<void> {
  run.need(await canBeJudged(run, agent, exchange), 'an agent that is deployed and responds in time after an update');
}

/** A public agent must not open another one. */
async function otherAgentMismatches(run: Run, { name }: Publishable): Promise<Mismatch[][]> {
  const other = await undefinedIfNotTried(publishableAgent(run, 'mk2'));
  if (other === undefined || other.name === name) return [];
  const exchange = await queryWithoutCredential(run, other);
  return [
    notRefusedMismatches(exchange, 'no credential while another agent is public', await queryAgent(run, other.name)),
  ];
}

/** A caller that may query an agent may not update it. */
async function updateMismatches(run: Run, { name, spec }: Publishable): Promise<Mismatch[]> {
  const update = markedUpdate({ name, spec: { ...spec, public: true } }, newMark(run));
  const [anonymous] = strangersOf(run);
  const exchange = await anonymous?.send('updateAgent', update);
  if (exchange === undefined) return [];
  return notRefusedMismatches(
    exchange,
    'an update of a public agent without a credential',
    await publish(run, { name, spec }, true),
  );
}

/** A public agent also accepts valid credentials, in either header. */
async function credentialMismatches(run: Run, { name }: Publishable): Promise<Mismatch[]> {
  const { admin, apiKey } = run.target.credentials;
  const token = (admin ?? apiKey)?.value;
  if (token === undefined) return [];
  const found = [];
  for (const carrier of Object.values(carriersOf(run))) {
    const headers = carrier.with(`Bearer ${token}`);
    const input = { path: { agent: name }, body: { inputs: 'hello' }, headers };
    const send = () => run.as('none').call('queryAgent', input);
    found.push(...statusClass(await eventually(send, isSuccessful, run.patienceSeconds), '2xx'));
  }
  return found;
}

conforms('auth.public-agent.closed-again', async (run) => {
  const agent = await publishableAgent(run, 'mk3');
  try {
    const thread = inNewThread(run);
    await checkClosed(run, agent, { isOmitted: true, use: () => queryWithoutCredential(run, agent, thread) });
    const control = await queryAgent(run, agent.name);
    run.check(await strangerMismatches(run, agent, control));
    const inThread = () => queryWithoutCredential(run, agent, thread);
    const refused = await eventually(inThread, isRefused, run.patienceSeconds);
    run.check(notRefusedMismatches(refused, 'no credential, in a thread of before', control));
    // Closed a second time, and by an explicit value.
    const updateSeconds = await checkClosed(run, agent);
    run.check(await laterUpdateMismatches(run, agent, updateSeconds));
  } finally {
    await unpublish(run, agent);
  }
});

interface Closing {
  /** Whether the closing update omits `public`, unless the target then keeps it. */
  readonly isOmitted?: boolean;
  /** Called while the agent is open. */
  readonly use?: () => Promise<unknown>;
}

/** Opens and closes the agent, and returns how long it took to close. */
async function checkClosed(run: Run, agent: Publishable, { isOmitted = false, use }: Closing = {}): Promise<number> {
  const opened = await publish(run, agent, true);
  run.need(isSuccessful(opened), `an update with public true that is accepted (${describeRefusal(opened)})`);
  run.need(isSuccessful(await queryUntilPublic(run, agent)), 'an agent that opens when it is made public');
  await use?.();
  const omitting = isOmitted ? await publish(run, agent, undefined) : undefined;
  const isClosing = omitting !== undefined && isSuccessful(omitting) && !returnsPublic(omitting);
  const update = isClosing ? omitting : await publish(run, agent, false);
  run.need(isSuccessful(update), 'an update with public false that is accepted');
  const since = performance.now();
  const exchange = await waitUntilPrivate(run, agent);
  const updateSeconds = (performance.now() - since) / 1000;
  if (!isRefused(exchange)) await needDeployed(run, agent, exchange);
  const why = isClosing ? 'once public is omitted, which means false' : 'once public is false again';
  run.check(notPrivateMismatches(exchange, why).map((found) => ({ ...found, before: [update] })));
  return updateSeconds;
}

/** Judged by agents.update.defaults. */
const returnsPublic = ({ response: { json } }: Exchange): boolean =>
  fieldsOf(fieldsOf(json)?.['spec'])?.['public'] === true;

/**
 * An update that omits `public`, and refused ones, must not open the agent again, within the time that an accepted one may
 * take.
 */
async function laterUpdateMismatches(run: Run, agent: Publishable, updateSeconds: number): Promise<Mismatch[]> {
  const omitting = await publish(run, agent, undefined);
  if (returnsPublic(omitting)) return [];
  const refused = await refusedUpdates(run, agent.name, { ...agent.spec, public: true });
  // One that is accepted may open the agent.
  if (refused.length === 0) return [];
  const before = [...(isSuccessful(omitting) ? [omitting] : []), ...refused];
  await waitForEffect(run, updateSeconds);
  // A public revision may respond once more. A quick run sends one query: a public agent would respond to each of them.
  const exchange = run.isQuick
    ? await eventually(() => queryWithoutCredential(run, agent), isRefused, run.patienceSeconds)
    : await waitUntilPrivate(run, agent);
  if (!isSuccessful(exchange)) return [];
  return notPrivateMismatches(exchange, 'after an update without public and refused ones with public true').map(
    (found) => ({
      ...found,
      before,
    }),
  );
}

/** Polls with each stranger, since the public revision may still be active. The first one has no credential at all. */
async function strangerMismatches(run: Run, { name }: Publishable, control: Exchange): Promise<Mismatch[]> {
  const input = { path: { agent: name }, body: { inputs: 'hello' } };
  const [, ...strangers] = strangersOf(run);
  const sendAsEach = async (): Promise<Mismatch[]> => {
    for (const stranger of strangers) {
      const found = notRefusedMismatches(await stranger.send('queryAgent', input), stranger.who, control);
      if (found.length > 0) return found;
    }
    return [];
  };
  return eventually(sendAsEach, (found) => found.length === 0, run.patienceSeconds);
}

judgesInOrder('auth.public-agent.never-on-mk2', [...agentOperations, 'queryAgent'], (facts) => {
  const agents = seenAgents(facts);
  return (seen) => {
    if (seen.operation.id !== 'queryAgent') return agents.note(seen);
    const isJudged = isStranger(seen, facts) && agents.isMk2(seen) && agents.wasPublished(seen);
    return isJudged ? notRefused(seen) : undefined;
  };
});

conforms('auth.public-agent.never-on-mk2', async (run) => {
  const agent = await publishableAgent(run, 'mk2');
  run.need(
    notPrivateMismatches(await queryWithoutCredential(run, agent), 'before').length === 0,
    'an agent of generation mk2 that is closed',
  );
  const tests: Readonly<Record<string, () => Promise<Mismatch[]>>> = {
    'made public': () => closedWithRuntime(run, agent),
    'made public without a runtime': () => closedWithoutRuntime(run, agent),
    'moved to mk2 while public': () => moveToMk2Mismatches(run),
  };
  try {
    await run.forEach(Object.keys(tests), (name) => tests[name]!());
  } finally {
    await unpublish(run, agent);
  }
});

const closedWithRuntime = async (run: Run, agent: Publishable): Promise<Mismatch[]> =>
  closedAfter(run, agent, await publish(run, agent, true));

/** Without `runtime` if it may be omitted. Checked if the update is refused or keeps the agent on mk2. */
async function closedWithoutRuntime(run: Run, agent: Publishable): Promise<Mismatch[]> {
  if (!(await mayOmitRuntime(run, { name: agent.name, generation: 'mk2' }))) return closedWithRuntime(run, agent);
  const { runtime: _, ...spec } = agent.spec;
  const update = await publish(run, { name: agent.name, spec }, true);
  return isSuccessful(update) && !hasMk2(update) ? [] : closedAfter(run, agent, update);
}

async function closedAfter(run: Run, agent: Publishable, update: Exchange): Promise<Mismatch[]> {
  const exchange = isSuccessful(update)
    ? await queryUntilDeployed(run, agent)
    : await queryWithoutCredential(run, agent);
  // The refusal counts only if other updates are accepted.
  if (!isSuccessful(update)) await updatableAgent(run);
  return remainsClosed(exchange).map((found) => ({ ...found, before: [update] }));
}

/** An agent that is being deployed may refuse everybody. */
const remainsClosed = (exchange: Exchange): Mismatch[] =>
  isSuccessful(exchange) ? notPrivateMismatches(exchange, 'of an agent of generation mk2 with public true') : [];

/** Moves a public agent to mk2. Only for an agent of the run and if the target accepts the move. */
async function moveToMk2Mismatches(run: Run): Promise<Mismatch[]> {
  const agent = await undefinedIfNotTried(publishableAgent(run, 'mk3'));
  if (agent === undefined || !agent.name.startsWith(run.prefix)) return [];
  try {
    const opened = await publish(run, agent, true);
    if (!isSuccessful(opened) || !isSuccessful(await waitUntilPublic(run, agent))) return [];
    const runtime = { ...(agent.spec['runtime'] as object), generation: 'mk2' };
    const moved = await publish(run, agent, true, { runtime });
    const returned = (moved.response.json as { spec?: { runtime?: { generation?: unknown } } } | undefined)?.spec
      ?.runtime;
    if (!isSuccessful(moved) || returned?.generation !== 'mk2') return [];
    const exchange = await waitUntilPrivate(run, agent);
    if (!(await canBeJudged(run, agent, exchange))) return [];
    return remainsClosed(exchange).map((found) => ({ ...found, before: [moved] }));
  } finally {
    await unpublish(run, agent);
  }
}
