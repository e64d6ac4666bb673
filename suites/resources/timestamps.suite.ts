/** resources.timestamps.*: the times of a resource's creation and last change. */
import { conforms } from '../engine/conforms.ts';
import { judges, judgesInOrder } from '../judge/judgement.ts';
import { returningResources, seenResource } from '../kit/resources/seen-resource.ts';
import type { Run } from '../engine/conforms.ts';
import { isOmitted } from '../json/fields.ts';
import { hasSeconds, parseLenientInstant, lateness } from '../expect/instant.ts';
import { movedAgent } from '../kit/agents/moved-agent.ts';
import { agentToChange, type Generation } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';
import { agentUpdates, resourceResponses } from './resource-responses.ts';
import { comparesUpdates, mayBeAnotherAgent, showsChange } from './seen-updates.ts';
import { templateResponse } from './template-response.ts';
import { agentWrites, performWrite, readBack } from '../kit/provision/writes.ts';
import { eventually, isSuccessful, noteWait, waitedSecondsFor } from '../target/eventually.ts';
import { metadataOf, mismatch, returnedResource, formatValue } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';

const isPresent = (returned: ReturnedResource | undefined): returned is ReturnedResource => returned !== undefined;
const resourcesOf = (exchanges: readonly Exchange[]): ReturnedResource[] =>
  exchanges.map(returnedResource).filter(isPresent);

judges('resources.timestamps.ordered', returningResources, (seen) => {
  const returned = seenResource(seen);
  if (returned === undefined || isOmitted(metadataOf(returned)['createdAt'])) return undefined;
  return [...unreadable(returned), ...disordered(returned)];
});

conforms('resources.timestamps.ordered', async (run) => {
  const responses = [...resourcesOf(await resourceResponses(run)), ...(await templateResponse(run))];
  const returned = responses.filter((each) => !isOmitted(metadataOf(each)['createdAt']));
  run.need(returned.length > 0, 'a response with createdAt');
  for (const each of returned) run.check(unreadable(each), disordered(each));
});

function unreadable(returned: ReturnedResource): Mismatch[] {
  const { createdAt, updatedAt } = metadataOf(returned);
  return Object.entries({ createdAt, updatedAt })
    .filter(([, value]) => !isOmitted(value) && parseLenientInstant(value) === undefined)
    .map(([field, value]) => mismatch(returned, `${field}: a timestamp`, `${field}: ${formatValue(value)}`));
}

function disordered(returned: ReturnedResource): Mismatch[] {
  const { createdAt, updatedAt } = metadataOf(returned);
  if (typeof createdAt !== 'string' || typeof updatedAt !== 'string') return [];
  return lateness(createdAt, updatedAt) < 0
    ? [mismatch(returned, `updatedAt not before createdAt, ${createdAt}`, `updatedAt ${updatedAt}`)]
    : [];
}

judgesInOrder(
  'resources.timestamps.creation-kept',
  ['updateAgent', 'getAgent'],
  comparesUpdates((first, later) => {
    const found = changed(first.returned, later.returned);
    return found.length > 0 && mayBeAnotherAgent(first, later) ? undefined : found;
  }),
);

conforms('resources.timestamps.creation-kept', async (run) => {
  await isCreationKept(run, 'mk2');
  await undefinedIfNotTried(isCreationKept(run, 'mk3'));
  const moved = await movedAgent(run);
  const [first, ...later] = moved === undefined ? [] : resourcesOf([moved.first, moved.onMk3, moved.back]);
  if (first !== undefined) run.check(...later.map((each) => changed(first, each)));
});

async function isCreationKept(run: Run, generation: Generation): Promise<void> {
  await agentToChange(run, generation);
  const { before, exchanges } = await agentUpdates(run, generation);
  const accepted = exchanges.filter(isSuccessful);
  run.need(accepted.length > 1, 'an agent that accepts more than one update');
  const [first, ...later] = resourcesOf(before === undefined ? accepted : [before, ...accepted]);
  const known = run.need(first, 'a response with the agent');
  run.need('createdAt' in metadataOf(known) || 'createdBy' in metadataOf(known), 'a response with createdAt');
  for (const each of later) run.check(changed(known, each));
}

function changed(first: ReturnedResource, later: ReturnedResource): Mismatch[] {
  const [old, current] = [metadataOf(first), metadataOf(later)];
  const context = { before: [first.exchange] };
  const found = [];
  if (typeof old['createdAt'] === 'string' && typeof current['createdAt'] === 'string')
    if (lateness(old['createdAt'], current['createdAt']) !== 0)
      found.push(mismatch(later, `createdAt ${old['createdAt']}`, `createdAt ${current['createdAt']}`));
  if (
    old['createdBy'] !== undefined &&
    current['createdBy'] !== undefined &&
    formatValue(old['createdBy']) !== formatValue(current['createdBy'])
  )
    found.push(
      mismatch(later, `createdBy ${formatValue(old['createdBy'])}`, `createdBy ${formatValue(current['createdBy'])}`),
    );
  return found.map((each) => ({ ...each, ...context }));
}

judgesInOrder(
  'resources.timestamps.update-moves-updated-at',
  'updateAgent',
  comparesUpdates(({ seen, returned: first }, { seen: laterSeen, returned: later }) => {
    if (![first, later].every(hasDate)) return undefined;
    if (isCoarse([first, later])) return earlierMismatches(first, later);
    const isShown = showsChange({ seen, returned: first }, { seen: laterSeen, returned: later });
    return [...earlierMismatches(first, later), ...(isShown ? notMoved(first, later) : [])];
  }),
);

conforms('resources.timestamps.update-moves-updated-at', async (run) => {
  await hasMoved(run, 'mk2');
  await undefinedIfNotTried(hasMoved(run, 'mk3'));
});

/** The updates change labels and variables, and end more than a second after they begin. */
async function hasMoved(run: Run, generation: Generation): Promise<void> {
  await agentToChange(run, generation);
  const { exchanges } = await agentUpdates(run, generation);
  const dated = resourcesOf(exchanges.filter(isSuccessful)).filter(hasDate);
  const [first, ...later] = dated;
  const known = run.need(first, 'an accepted update whose response has updatedAt with seconds');
  const last = run.need(later.at(-1), 'an agent that accepts more than one update');
  run.check(...later.map((each, index) => earlierMismatches(dated[index]!, each)));
  run.need(
    notMoved(known, last).length === 0 || !isCoarse(dated),
    'timestamps with seconds: the target rounds createdAt and updatedAt to minutes, in which several updates fit',
  );
  for (const each of notMoved(known, last).length === 0 ? [last] : await afterDeployment(run, generation, known))
    run.check(notMoved(known, each));
}

/**
 * The time may move only when a deployment ends, even if the rest of an update is visible at once. Waits for that by reads, if there
 * are any, and sends one more update then.
 */
async function afterDeployment(run: Run, generation: Generation, known: ReturnedResource): Promise<ReturnedResource[]> {
  const [update] = await agentWrites(run, generation);
  const write = run.need(update, 'an agent');
  const datedIn = (exchanges: readonly (Exchange | undefined)[]): ReturnedResource[] =>
    resourcesOf(exchanges.filter((each) => each !== undefined).filter(isSuccessful)).filter(hasDate);
  const read = async (): Promise<Exchange> => (await readBack(run, write.id, write.input({}))) ?? known.exchange;
  const hasMovedIn = (each: Exchange): boolean =>
    datedIn([each]).some((returned) => notMoved(known, returned).length === 0);
  const last = await eventually(read, hasMovedIn, run.patienceSeconds);
  const found = last === known.exchange ? undefined : last;
  const { exchange } = await performWrite(run, write, {}, { isRead: false });
  noteWait(exchange, waitedSecondsFor(last) ?? 0);
  const dated = datedIn([found, exchange]);
  run.need(dated.length, 'a later response with updatedAt');
  return dated;
}

const hasDate = (returned: ReturnedResource): boolean => hasSeconds(metadataOf(returned)['updatedAt']);

/** Whether no time of these resources has seconds other than 0: they may be rounded to minutes. */
const isCoarse = (resources: readonly ReturnedResource[]): boolean =>
  resources
    .flatMap((each) => [metadataOf(each)['createdAt'], metadataOf(each)['updatedAt']])
    .filter((each) => !isOmitted(each))
    .every((each) => (parseLenientInstant(each) ?? 0) % MINUTE_MS === 0);

const MINUTE_MS = 60_000;

function notMoved(first: ReturnedResource, last: ReturnedResource): Mismatch[] {
  const [was, is] = [first, last].map((each) => String(metadataOf(each)['updatedAt']));
  if (lateness(was!, is!) > 0) return [];
  return [{ ...mismatch(last, `updatedAt after ${was}`, `updatedAt ${is}`), before: [first.exchange] }];
}

/** The clocks of two servers may differ by less. */
const MAX_CLOCK_DIFFERENCE_MS = 1000;

/** A later update whose time is earlier. */
function earlierMismatches(previous: ReturnedResource, later: ReturnedResource): Mismatch[] {
  const [was, is] = [previous, later].map((each) => String(metadataOf(each)['updatedAt']));
  if (lateness(was!, is!) >= -MAX_CLOCK_DIFFERENCE_MS) return [];
  return [{ ...mismatch(later, `updatedAt not before ${was}`, `updatedAt ${is}`), before: [previous.exchange] }];
}
