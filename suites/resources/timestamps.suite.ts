/** resources.timestamps.*: when a resource was made and changed. */
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isLeftOut } from '../json/fields.ts';
import { parseLenientInstant, lateness } from '../expect/instant.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';
import { agentUpdates, resourceAnswers } from './answers.ts';
import { isSuccessful } from '../target/eventually.ts';
import { metadataOf, mismatch, shownIn, told } from '../kit/resources/shown.ts';
import type { Shown } from '../kit/resources/shown.ts';

const isShown = (shown: Shown | undefined): shown is Shown => shown !== undefined;
const resourcesOf = (exchanges: readonly Exchange[]): Shown[] => exchanges.map(shownIn).filter(isShown);

conforms('resources.timestamps.ordered', async (run) => {
  const shown = resourcesOf(await resourceAnswers(run)).filter((each) => !isLeftOut(metadataOf(each)['createdAt']));
  run.need(shown.length > 0, 'an answer that shows createdAt');
  for (const each of shown) run.check(unreadable(each), disordered(each));
});

function unreadable(shown: Shown): Mismatch[] {
  const { createdAt, updatedAt } = metadataOf(shown);
  return Object.entries({ createdAt, updatedAt })
    .filter(([, value]) => !isLeftOut(value) && parseLenientInstant(value) === undefined)
    .map(([field, value]) => mismatch(shown, `${field}: a timestamp`, `${field}: ${told(value)}`));
}

function disordered(shown: Shown): Mismatch[] {
  const { createdAt, updatedAt } = metadataOf(shown);
  if (typeof createdAt !== 'string' || typeof updatedAt !== 'string') return [];
  return lateness(createdAt, updatedAt) < 0
    ? [mismatch(shown, `updatedAt not before createdAt, ${createdAt}`, `updatedAt ${updatedAt}`)]
    : [];
}

conforms('resources.timestamps.creation-kept', async (run) => {
  await isCreationKept(run, 'mk2');
  await undefinedIfNotTried(isCreationKept(run, 'mk3'));
});

async function isCreationKept(run: Run, generation: Generation): Promise<void> {
  const { before, exchanges } = await agentUpdates(run, generation);
  const accepted = exchanges.filter(isSuccessful);
  run.need(accepted.length > 1, 'an agent that takes more than one update');
  const [first, ...later] = resourcesOf(before === undefined ? accepted : [before, ...accepted]);
  const known = run.need(first, 'an answer that shows the agent');
  run.need('createdAt' in metadataOf(known) || 'createdBy' in metadataOf(known), 'an answer that shows createdAt');
  for (const each of later) run.check(changed(known, each));
}

function changed(first: Shown, later: Shown): Mismatch[] {
  const [was, is] = [metadataOf(first), metadataOf(later)];
  const led = { before: [first.exchange] };
  const found = [];
  if (typeof was['createdAt'] === 'string' && typeof is['createdAt'] === 'string')
    if (lateness(was['createdAt'], is['createdAt']) !== 0)
      found.push(mismatch(later, `createdAt ${was['createdAt']}`, `createdAt ${is['createdAt']}`));
  if (
    was['createdBy'] !== undefined &&
    is['createdBy'] !== undefined &&
    told(was['createdBy']) !== told(is['createdBy'])
  )
    found.push(mismatch(later, `createdBy ${told(was['createdBy'])}`, `createdBy ${told(is['createdBy'])}`));
  return found.map((each) => ({ ...each, ...led }));
}
