/** Walks through the pages of a past window while resources are created and removed: what was used then is on them once. */
import * as fc from 'fast-check';
import { limits } from '../../spec/values.ts';
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
import type { Grouped } from './many-groups.ts';
import { walk } from './pages.ts';
import { knownMismatches } from './visits.ts';

type Change = 'nothing' | 'create' | 'remove';

/** One walk; `between`: what happens after its first page, after its second, and so on. */
interface Walking {
  readonly limit: number;
  readonly between: readonly Change[];
}

/** What there is now that the case has created, oldest first. */
type Made = { readonly create: CreateOperation; readonly input: CallInput }[];

/** Tries nothing where the target creates nothing that it also removes. */
export async function walkWhileResourcesComeAndGo(run: Run, grouped: Grouped): Promise<void> {
  const kinds = await removableKinds(run);
  if (kinds.length === 0) return;
  const made: Made = [];
  const tidy = async (): Promise<void> => {
    while (made.length > 0) await remove(run, made);
  };
  await forAllSequences(run, {
    step: walkingThrough(grouped),
    begin: async () => {
      await tidy(); // Nothing of it is left where only this sequence is repeated.
      return { model: made, exchanges: [] };
    },
    take: (_, step) => take(run, { kinds, made }, grouped, step),
    runs: Math.ceil(run.runs / 20),
    examples: examplesFor(grouped),
  });
  await tidy();
}

/**
 * Whether the groups of a question are on its pages once though one resource of each kind is created between them;
 * undefined where the target creates nothing that it also removes.
 */
export async function areKeptWhileCreating(run: Run, grouped: Grouped): Promise<boolean | undefined> {
  const kinds = await removableKinds(run);
  if (kinds.length === 0) return undefined;
  const made: Made = [];
  const between = kinds.map((): Change => 'create');
  const { mismatches } = await take(run, { kinds, made }, grouped, { limit: limitFor(grouped, 6), between });
  while (made.length > 0) await remove(run, made);
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

/** Pages of so many groups that there are about so many of them. */
const limitFor = ({ entries }: Grouped, pages: number): number =>
  Math.min(limits.metricsPageMax, Math.ceil(entries.length / pages));

function walkingThrough(grouped: Grouped): fc.Arbitrary<Walking> {
  return fc.record({
    limit: fc.integer({ min: limitFor(grouped, 6), max: limitFor(grouped, 2) }),
    between: fc.array(fc.constantFrom<Change[]>('nothing', 'create', 'remove'), { maxLength: 5 }),
  });
}

/** Created in one walk and removed in it, or in the next. */
function examplesFor(grouped: Grouped): Walking[][] {
  const limit = limitFor(grouped, 5);
  return [
    [{ limit, between: ['create', 'create', 'remove', 'remove'] }],
    [
      { limit, between: ['create', 'nothing', 'create'] },
      { limit, between: ['remove', 'create', 'remove', 'remove'] },
    ],
  ];
}

interface Scene {
  readonly kinds: readonly CreateOperation[];
  readonly made: Made;
}

async function take(run: Run, scene: Scene, grouped: Grouped, { limit, between }: Walking): Promise<StepResult> {
  const exchanges: Exchange[] = [];
  const walked = await walk(run.client, { ...grouped.query, limit }, async ({ exchange }, at) => {
    exchanges.push(exchange, ...(await change(run, scene, between[at] ?? 'nothing')));
  });
  const last = walked.trouble?.exchange ?? walked.pages.at(-1)?.exchange;
  return {
    exchanges: last === undefined ? exchanges : [...exchanges, last],
    mismatches: knownMismatches(walked, grouped, limit),
  };
}

async function change(run: Run, { kinds, made }: Scene, what: Change): Promise<Exchange[]> {
  if (what === 'nothing') return [];
  return what === 'remove' ? remove(run, made) : [await add(run, kinds[made.length % kinds.length]!, made)];
}

async function add(run: Run, create: CreateOperation, made: Made): Promise<Exchange> {
  const input = create.input(plainMetadata(run));
  const exchange = await run.client.call(create.id, input);
  if (isSuccessful(exchange)) made.push({ create, input });
  return exchange;
}

/** The oldest; nothing where there is none. */
async function remove(run: Run, made: Made): Promise<Exchange[]> {
  const oldest = made.shift();
  const removal = oldest && describeCreation(oldest.create.id, oldest.input)?.removal;
  return removal === undefined ? [] : [await run.client.call(removal.operation, { path: removal.path })];
}
