/** agents.update.wrong-type-400: every typed field of a spec, in every element of its lists, holding a value of every other type. */
import * as fc from 'fast-check';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { agentParts } from '../kit/generators/agent-body.ts';
import type { Taken } from '../kit/generators/agent-body.ts';
import { typedFields, withValueAt, wrongValues } from '../generators/wrong-type.ts';
import type { TypedField } from '../generators/wrong-type.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { variantAt } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import {
  bodyOf,
  known,
  needAccepted,
  putBody,
  refused,
  refusedSpec,
  stays,
  waysToUpdate,
  withEachSubject,
} from '../kit/agents/subject.ts';
import type { Spec, Subject } from '../kit/agents/subject.ts';
import { takenBy, withoutRevisions } from './taken.ts';
import { attachable, attached } from './volumes.ts';
import { sharedValues } from '../engine/shared-values.ts';

const acceptedSpecs = sharedValues<unknown>();

const fields = typedFields({ $ref: '#/components/schemas/AgentSpec' });

/** Whatever is accepted comes first: what a refused update leaves behind then stands until the end. */
export async function checkWrongTypes(run: Run): Promise<void> {
  await withEachSubject(run, async (subject) => {
    const judged = fields.filter((field) => isJudged(field, subject));
    const bases = new Map<TypedField, Spec>();
    for (const field of judged) bases.set(field, await around(run, subject, field));
    const taken = withoutRevisions(await takenBy(run, subject));
    const ways = await waysToUpdate(run, subject);
    const before = await known(run, subject);
    let asked = run.seed;
    await checkAmongOthers(run, subject, taken, ways);
    // Last, since these take back nothing of what one of them has left behind.
    for (const [field, base] of bases) await checkField(run, subject, field, base, () => variantAt(ways, asked++));
    run.check(await stays(run, before));
  });
}

/** A server may ignore the timeout of a trigger on mk2, whatever it holds. */
function isJudged({ path }: TypedField, { generation }: Subject): boolean {
  return generation === 'mk3' || path.at(-1) !== 'timeout';
}

async function checkField(
  run: Run,
  subject: Subject,
  field: TypedField,
  base: Spec,
  next: () => CallerVariant,
): Promise<void> {
  const elements = field.path.includes('*') ? lengthOf(base, field.path) : 1;
  // Every value in the first element, one of each type in the others; what mk2 has been asked, mk3 is asked in the last one.
  const isAskedBefore = subject.generation === 'mk3' && isJudged(field, { ...subject, generation: 'mk2' });
  for (let element = isAskedBefore ? elements - 1 : 0; element < elements; element += 1) {
    const values = element === 0 && !isAskedBefore ? wrongValues(field.type) : wrongValues(field.type, 1);
    for (const [index, value] of values.entries()) {
      const beside = index % 2 === 0 ? base : amongOthers(base, field);
      run.check(await refusal(run, subject, { base: beside, field, element, value, way: next() }));
    }
  }
}

/** The others would show where the update took effect. */
const amongOthers = (base: Spec, { path }: TypedField): Spec =>
  path[0] === 'triggers' ? { ...base, enabled: false } : { ...base, ...refusedSpec };

interface Wrong {
  readonly base: Spec;
  readonly field: TypedField;
  readonly element: number;
  readonly value: unknown;
  readonly way: CallerVariant;
}

async function refusal(run: Run, subject: Subject, { base, field, element, value, way }: Wrong): Promise<Mismatch[]> {
  const body = withValueAt(bodyOf(subject, base, refused), ['spec', ...field.path], element, value);
  return status(await putBody(run, subject, body, way), 400);
}

/** What stands beside a field where it is in a list: three elements that nothing is wrong with, seen to be accepted. */
async function around(run: Run, subject: Subject, { path }: TypedField): Promise<Spec> {
  if (path[0] === 'volumes') {
    const volumes = await undefinedIfNotTried(attachable(run, subject));
    return volumes === undefined ? {} : attached(volumes);
  }
  const base = path[0] === 'triggers' ? triggersFor(path) : path[1] === 'envs' ? threeEnvs : {};
  await acceptedSpecs.get(run, `${subject.name} ${JSON.stringify(base)}`, () =>
    needAccepted(run, subject, base, 'a valid spec'),
  );
  return base;
}

const three = [0, 1, 2];
const threeEnvs: Spec = { runtime: { envs: three.map((each) => ({ name: `ASSAY_${each}`, value: 'text' })) } };

/** Of the type that the field belongs to. */
function triggersFor(path: readonly string[]): Spec {
  const name = path.at(-1) ?? '';
  if (['schedule', 'tasks'].includes(name)) {
    return { triggers: three.map(() => ({ type: 'cron', configuration: { schedule: '0 9 * * 1' } })) };
  }
  const isAsync = ['callbackUrl', 'retry', 'timeout'].includes(name);
  return {
    triggers: three.map((each) => ({
      type: isAsync ? 'http-async' : 'http',
      configuration: { path: `/assay/${each}`, ...(isAsync && { callbackUrl: 'https://example.com/assay' }) },
    })),
  };
}

function lengthOf(base: Spec, path: readonly string[]): number {
  let value: unknown = base;
  for (const name of path.slice(0, path.indexOf('*'))) value = (value as Record<string, unknown> | undefined)?.[name];
  return Array.isArray(value) ? value.length : 1;
}

/** In agents of every kind: a server may look less closely at some. */
async function checkAmongOthers(
  run: Run,
  subject: Subject,
  taken: Taken,
  ways: readonly CallerVariant[],
): Promise<void> {
  // What a trigger is configured with belongs to its type.
  const anywhere = fields.filter(({ path }) => !path.includes('configuration') && path.length > 0);
  const spoilt = fc
    .constantFrom(...anywhere)
    .chain((field) => fc.record({ field: fc.constant(field), value: fc.constantFrom(...wrongValues(field.type)) }));
  await run.forAll(
    { parts: agentParts(taken), spoilt, element: fc.nat({ max: 3 }), way: fc.constantFrom(...ways) },
    async ({ parts: { spec: base }, spoilt: { field, value }, element, way }) =>
      refusal(run, subject, { base, field, element, value, way }),
    { runs: scaleRuns(run, 60) },
  );
}
