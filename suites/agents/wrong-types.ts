/**
 * agents.update.wrong-type-400: every typed field of a spec, in every list element, with a value of every other type.
 */
import * as fc from 'fast-check';
import { NotTried } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { agentParts } from '../kit/generators/agent-body.ts';
import type { Accepted } from '../kit/generators/agent-body.ts';
import { typedFields, withValueAt, wrongValues } from '../generators/wrong-type.ts';
import type { TypedField } from '../generators/wrong-type.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sampleCallbackUrl, sampleSchedule } from '../kit/provision/samples.ts';
import { variantAt } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import {
  bodyOf,
  sendBaseline,
  needAccepted,
  sendUpdate,
  refusedMetadata,
  refusedSpec,
  checkUnchanged,
  acceptedUpdateVariants,
  withEachTestAgent,
} from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { acceptedFields, withoutRevisions } from './accepted-fields.ts';
import { attachableVolumes, specWithVolumes } from './volumes.ts';
import { sharedValues } from '../engine/shared-values.ts';

const acceptedSpecs = sharedValues<unknown>();

const fields = typedFields({ $ref: '#/components/schemas/AgentSpec' });

/**
 * Accepted updates come first, so that effects of refused ones remain visible until the end. Throws NotTried after
 * everything else if the target refuses a valid spec around a field.
 */
export async function checkWrongTypes(run: Run): Promise<void> {
  const unmet: string[] = [];
  await withEachTestAgent(run, async (testAgent) => {
    const tested = fields.filter((field) => isTested(field, testAgent));
    const bases = new Map<TypedField, Spec>();
    for (const field of tested) {
      const base = await validSpecAround(run, testAgent, field).catch(asUnmetNeed);
      if (base instanceof NotTried) unmet.push(base.message);
      else bases.set(field, base);
    }
    const accepted = withoutRevisions(await acceptedFields(run, testAgent));
    const variants = await acceptedUpdateVariants(run, testAgent);
    const before = await sendBaseline(run, testAgent);
    let requestIndex = run.seed;
    await checkGeneratedSpecs(run, testAgent, accepted, variants);
    // Last, since these updates do not overwrite the effects of a refused one.
    for (const [field, base] of bases)
      await checkField(run, testAgent, field, base, () => variantAt(variants, requestIndex++));
    run.check(await checkUnchanged(run, before));
  });
  run.need(unmet.length === 0, unmet[0] ?? '');
}

function asUnmetNeed(error: unknown): NotTried {
  if (error instanceof NotTried) return error;
  throw error;
}

/** On mk2 a server may ignore the timeout of a trigger, whatever its value. */
function isTested({ path }: TypedField, { generation }: TestAgent): boolean {
  return generation === 'mk3' || path.at(-1) !== 'timeout';
}

async function checkField(
  run: Run,
  testAgent: TestAgent,
  field: TypedField,
  base: Spec,
  next: () => CallerVariant,
): Promise<void> {
  const elements = field.path.includes('*') ? lengthOf(base, field.path) : 1;
  // Every value in the first element, one of each type in the others. Values tested on mk2 are tested on mk3 only in
  // the last element.
  const wasTestedOnMk2 = testAgent.generation === 'mk3' && isTested(field, { ...testAgent, generation: 'mk2' });
  for (let element = wasTestedOnMk2 ? elements - 1 : 0; element < elements; element += 1) {
    const values = element === 0 && !wasTestedOnMk2 ? wrongValues(field.type) : wrongValues(field.type, 1);
    for (const [index, value] of values.entries()) {
      const specWithOthers = index % 2 === 0 ? base : withOtherChanges(base, field);
      run.check(
        await refusalMismatches(run, testAgent, { base: specWithOthers, field, element, value, variant: next() }),
      );
    }
  }
}

/** Adds changes that are visible if the update takes effect. */
const withOtherChanges = (base: Spec, { path }: TypedField): Spec =>
  path[0] === 'triggers' ? { ...base, enabled: false } : { ...base, ...refusedSpec };

interface WrongValue {
  readonly base: Spec;
  readonly field: TypedField;
  readonly element: number;
  readonly value: unknown;
  readonly variant: CallerVariant;
}

async function refusalMismatches(
  run: Run,
  testAgent: TestAgent,
  { base, field, element, value, variant }: WrongValue,
): Promise<Mismatch[]> {
  const body = withValueAt(bodyOf(testAgent, base, refusedMetadata), ['spec', ...field.path], element, value);
  return status(await sendUpdate(run, testAgent, body, variant), 400);
}

/** A valid, accepted spec with three elements if the field is in a list. */
async function validSpecAround(run: Run, testAgent: TestAgent, { path }: TypedField): Promise<Spec> {
  if (path[0] === 'volumes') {
    const volumes = await undefinedIfNotTried(attachableVolumes(run, testAgent));
    return volumes === undefined ? {} : specWithVolumes(volumes);
  }
  const base = path[0] === 'triggers' ? triggersFor(run, path) : path[1] === 'envs' ? threeEnvs : {};
  await acceptedSpecs.get(run, `${testAgent.name} ${JSON.stringify(base)}`, () =>
    needAccepted(run, testAgent, base, 'a valid spec'),
  );
  return base;
}

const three = [0, 1, 2];
const threeEnvs: Spec = { runtime: { envs: three.map((each) => ({ name: `ASSAY_${each}`, value: 'text' })) } };

/** Triggers of the type that the field belongs to. */
function triggersFor(run: Run, path: readonly string[]): Spec {
  const name = path.at(-1) ?? '';
  if (['schedule', 'tasks'].includes(name)) {
    return { triggers: three.map(() => ({ type: 'cron', configuration: { schedule: sampleSchedule(run) } })) };
  }
  const isAsync = ['callbackUrl', 'retry', 'timeout'].includes(name);
  return {
    triggers: three.map((each) => ({
      type: isAsync ? 'http-async' : 'http',
      configuration: { path: `/assay/${each}`, ...(isAsync && { callbackUrl: sampleCallbackUrl(run) }) },
    })),
  };
}

function lengthOf(base: Spec, path: readonly string[]): number {
  let value: unknown = base;
  for (const name of path.slice(0, path.indexOf('*'))) value = (value as Record<string, unknown> | undefined)?.[name];
  return Array.isArray(value) ? value.length : 1;
}

/** In generated specs, which a server may validate differently. */
async function checkGeneratedSpecs(
  run: Run,
  testAgent: TestAgent,
  accepted: Accepted,
  variants: readonly CallerVariant[],
): Promise<void> {
  // The configuration of a trigger depends on its type.
  const typeIndependentFields = fields.filter(({ path }) => !path.includes('configuration') && path.length > 0);
  const wrongField = fc
    .constantFrom(...typeIndependentFields)
    .chain((field) => fc.record({ field: fc.constant(field), value: fc.constantFrom(...wrongValues(field.type)) }));
  await run.forAll(
    { parts: agentParts(accepted), wrongField, element: fc.nat({ max: 3 }), variant: fc.constantFrom(...variants) },
    async ({ parts: { spec: base }, wrongField: { field, value }, element, variant }) =>
      refusalMismatches(run, testAgent, { base, field, element, value, variant }),
    { runs: scaleRuns(run, 60) },
  );
}
