/** Walks the pages of a past window while resources are created and removed: each group must appear once. */
import * as fc from 'fast-check';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { createOperations, plainMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { acceptedWrite, isRepeatable } from '../kit/provision/writes.ts';
import { forAllSequences } from '../engine/sequence.ts';
import type { StepResult } from '../engine/sequence.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { describeCreation } from '../target/creations.ts';
import { limitFor } from './sized-groupings.ts';
import type { PagedGrouping } from './sized-groupings.ts';
import { walk } from './pages.ts';
import { missingGroupMismatches } from './walk-mismatches.ts';

type Change = 'nothing' | 'create' | 'remove';

/** One walk. `between` lists the change after the first page, after the second, and so on. */
interface WalkStep {
  readonly limit: number;
  readonly between: readonly Change[];
}

/** The resources that the case has created and not removed, oldest first. */
type CreatedResources = { readonly create: CreateOperation; readonly input: CallInput }[];

/** Does nothing if the target has no kind that can be created and removed. */
export async function walkDuringChanges(run: Run, grouped: PagedGrouping): Promise<void> {
  const kinds = await removableKinds(run);
  if (kinds.length === 0) return;
  const created: CreatedResources = [];
  const removeAll = async (): Promise<void> => {
    while (created.length > 0) await remove(run, created);
  };
  await forAllSequences(run, {
    step: walkStep(grouped),
    start: async () => {
      await removeAll(); // A repeated sequence starts without resources.
      return { model: created, exchanges: [] };
    },
    runStep: (_, step) => runStep(run, { kinds, created }, grouped, step),
    runs: Math.ceil(run.runs / 50),
    examples: examplesFor(grouped),
  });
  await removeAll();
}

/**
 * Whether each group appears once although one resource of each kind is created between pages. Undefined if the
 * target has no kind that can be created and removed.
 */
export async function isStableDuringCreates(run: Run, grouped: PagedGrouping): Promise<boolean | undefined> {
  const kinds = await removableKinds(run);
  if (kinds.length === 0) return undefined;
  const created: CreatedResources = [];
  const between = kinds.map((): Change => 'create');
  const { mismatches } = await runStep(run, { kinds, created }, grouped, { limit: limitFor(grouped, 6), between });
  while (created.length > 0) await remove(run, created);
  return mismatches.length === 0;
}

async function removableKinds(run: Run): Promise<CreateOperation[]> {
  const kinds = [];
  for (const create of run.target.allow === 'read' ? [] : createOperations(run)) {
    if ((await undefinedIfNotTried(acceptedWrite(run, create))) !== undefined && isRepeatable(run, create))
      kinds.push(create);
  }
  return kinds;
}

function walkStep(grouped: PagedGrouping): fc.Arbitrary<WalkStep> {
  return fc.record({
    limit: fc.integer({ min: limitFor(grouped, 6), max: limitFor(grouped, 2) }),
    between: fc.array(fc.constantFrom<Change[]>('nothing', 'create', 'remove'), { maxLength: 5 }),
  });
}

/** Resources of each kind, created in one walk and removed in the same or the next one. */
function examplesFor(grouped: PagedGrouping): WalkStep[][] {
  const limit = limitFor(grouped, 7);
  return [
    [{ limit, between: ['create', 'create', 'create', 'remove', 'remove', 'remove'] }],
    [
      { limit: limitFor(grouped, 4), between: ['create', 'nothing', 'create'] },
      { limit: limitFor(grouped, 4), between: ['remove', 'create', 'remove'] },
    ],
  ];
}

interface ChangeContext {
  readonly kinds: readonly CreateOperation[];
  readonly created: CreatedResources;
}

async function runStep(
  run: Run,
  context: ChangeContext,
  grouped: PagedGrouping,
  { limit, between }: WalkStep,
): Promise<StepResult> {
  const exchanges: Exchange[] = [];
  const walked = await walk(run.client, { ...grouped.query, limit }, async ({ exchange }, at) => {
    exchanges.push(exchange, ...(await change(run, context, between[at] ?? 'nothing')));
  });
  const last = walked.failure?.exchange ?? walked.pages.at(-1)?.exchange;
  return {
    exchanges: last === undefined ? exchanges : [...exchanges, last],
    mismatches: missingGroupMismatches(walked, grouped, limit),
  };
}

async function change(run: Run, { kinds, created }: ChangeContext, kind: Change): Promise<Exchange[]> {
  if (kind === 'nothing') return [];
  return kind === 'remove' ? remove(run, created) : [await add(run, kinds[created.length % kinds.length]!, created)];
}

async function add(run: Run, create: CreateOperation, created: CreatedResources): Promise<Exchange> {
  const input = create.input(plainMetadata(run));
  const exchange = await run.client.call(create.id, input);
  if (isSuccessful(exchange)) created.push({ create, input });
  return exchange;
}

/** Removes the oldest resource, if any. */
async function remove(run: Run, created: CreatedResources): Promise<Exchange[]> {
  const oldest = created.shift();
  const removal = oldest && describeCreation(oldest.create.id, oldest.input)?.removal;
  return removal === undefined ? [] : [await run.client.call(removal.operation, { path: removal.path })];
}
