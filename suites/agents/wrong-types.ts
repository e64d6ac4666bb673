/**
 * agents.update.wrong-type-400: every typed field of a spec, in every list element, with a value of every other type.
 */
import * as fc from 'fast-check';
import { NotTried } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { isFields, isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { effectiveSpec } from '../kit/agents/seen-update.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { agentParts } from '../kit/generators/agent-body.ts';
import type { Accepted, AgentParts, Amounts, TriggerType } from '../kit/generators/agent-body.ts';
import { kindOfValue, typedFields, withValueAt, wrongValues, wrongValuesByType } from '../generators/wrong-type.ts';
import type { TypedField } from '../generators/wrong-type.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { sampleCallbackUrl, sampleSchedule } from '../kit/provision/samples.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { withRefusedUpdates } from '../kit/agents/each-update-refused.ts';
import type { RefusedUpdates } from '../kit/agents/each-update-refused.ts';
import {
  acceptsTogether,
  bodyOf,
  needAcceptedOnce,
  sendUpdate,
  refusedMetadata,
  refusedSpec,
} from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { eachTestAgent } from '../kit/agents/test-agents.ts';
import { commonAmounts } from './accepted-amounts.ts';
import { commonFields } from './accepted-fields.ts';
import { attachableVolumes, specWithVolumes, withVolumeNames } from './volumes.ts';

const fields = typedFields({ $ref: '#/components/schemas/AgentSpec' });

/** Whether a documented field has a value of another type. Null may count as omitted (decision 016). */
export function hasWrongType(spec: Fields): boolean {
  const effective = effectiveSpec(spec);
  return fields.some(({ path, type }) => valuesAt(effective, path).some((value) => !isOfType(value, type)));
}

function valuesAt(value: unknown, [name, ...deeper]: readonly string[]): readonly unknown[] {
  if (name === undefined) return [value];
  if (name !== '*') return isFields(value) && Object.hasOwn(value, name) ? valuesAt(value[name], deeper) : [];
  return Array.isArray(value) ? value.flatMap((each) => valuesAt(each, deeper)) : [];
}

function isOfType(value: unknown, type: TypedField['type']): boolean {
  if (isOmitted(value)) return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  return type === 'object' ? isFields(value) : typeof value === type;
}

/**
 * Accepted updates come first, so that effects of refused ones remain visible until the end. Throws NotTried after
 * everything else if the target refuses a valid spec around a field.
 */
export async function checkWrongTypes(run: Run): Promise<void> {
  const unmet: string[] = [];
  const agents = await eachTestAgent(run);
  const accepted = await commonFields(run, agents);
  const amounts = await commonAmounts(run, agents);
  const bases = new Map<TestAgent, ReadonlyMap<TypedField, Spec | NotTried>>();
  for (const testAgent of agents) bases.set(testAgent, await validSpecs(run, testAgent, amounts));
  await withRefusedUpdates(run, agents, {}, async ({ check }) => {
    await checkGeneratedSpecs(run, check, accepted);
    const lists = [
      { examples: conversions },
      ...groups.map((group) => ({ examples: examplesOf(group, run.seed), classOf: mistakesIn })),
    ];
    for (const list of lists) {
      await check<Example>({
        inputs: {
          wrong: fc.constantFrom(...list.examples.map(({ wrong }) => wrong)),
          element: fc.nat({ max: 2 }),
          hasOtherChanges: fc.boolean(),
        },
        runs: 0,
        ...list,
        isInvalid: (testAgent, { wrong: { field } }) => isTested(fieldNamed(field), testAgent),
        async refusal(testAgent, { wrong, element, hasOtherChanges }, variant) {
          const field = fieldNamed(wrong.field);
          const base = bases.get(testAgent)!.get(field)!;
          if (base instanceof NotTried) {
            // A plan may have no schedules.
            if (!hasTypeOf(field, amounts)) return run.skipInput(base.message);
            unmet.push(base.message);
            return [];
          }
          const spec = hasOtherChanges ? withOtherChanges(run, base, field) : base;
          return refusalMismatches(run, testAgent, { base: spec, field, element, value: wrong.value, variant });
        },
      });
    }
  });
  run.need(unmet.length === 0, unmet[0] ?? '');
}

/** On mk2 a server may ignore the timeout of a trigger, whatever its value. */
function isTested({ path }: TypedField, { generation }: TestAgent): boolean {
  return generation === 'mk3' || path.at(-1) !== 'timeout';
}

const nameOf = ({ path }: TypedField): string => ['spec', ...path].join('.');
const fieldNamed = (name: string): TypedField => fields.find((field) => nameOf(field) === name)!;

interface Wrong {
  /** For example `spec.triggers.*.enabled`. */
  readonly field: string;
  readonly value: unknown;
}

interface Example {
  readonly wrong: Wrong;
  /** Of the list that contains the field. */
  readonly element: number;
  readonly hasOtherChanges: boolean;
}

/** Each field, and each wrong type in place of each type. */
const mistakesIn = ({ wrong: { field, value } }: Example): string[] => [
  field,
  `${kindOfValue(value)} as ${fieldNamed(field).type}`,
];

/** A value of every wrong type for every field. Consecutive ones are of different fields and types; the seed decides which value. */
function examplesOf(group: readonly TypedField[], seed: number): readonly Example[] {
  const values = group.map(({ type }) => wrongValuesByType(type));
  const most = Math.max(...values.map(({ length }) => length));
  return Array.from({ length: most }, (_, pass) =>
    group.flatMap((field, index) => {
      const types = values[index]!;
      if (pass >= types.length) return [];
      const place = pass + index;
      const ofType = types[place % types.length]!;
      const wrong = { field: nameOf(field), value: ofType[(seed + place) % ofType.length] };
      // The last one, which a server that validates only the first one accepts.
      return [{ wrong, element: 2, hasOtherChanges: place % 2 === 1 }];
    }),
  ).flat();
}

/** The values that a lenient server converts, by the type that is documented. */
const convertible: Readonly<Record<TypedField['type'], readonly unknown[]>> = {
  integer: ['5', 1.5],
  number: ['5'],
  boolean: ['true'],
  string: [5],
  array: [{}],
  object: [[]],
};

/** Each for every field, in the last and in the first element of its list. */
const conversions: readonly Example[] = [2, 0].flatMap((element) =>
  fields
    .filter(({ path }) => element === 2 || path.includes('*'))
    .flatMap((field) =>
      convertible[field.type].map((value, place) => ({
        wrong: { field: nameOf(field), value },
        element,
        hasOtherChanges: place % 2 === 1,
      })),
    ),
);

const areas: readonly ((path: readonly string[]) => boolean)[] = [
  (path) => path[0] === 'runtime' && path[1] !== 'envs',
  (path) => path[1] === 'envs',
  (path) => path[0] === 'triggers' && !path.includes('configuration'),
  (path) => path[0] === 'triggers' && path.includes('configuration'),
  (path) => path[0] === 'volumes' || path[0] === 'revision',
];
const groups = [
  ...areas.map((isIn) => fields.filter(({ path }) => isIn(path))),
  fields.filter(({ path }) => !areas.some((isIn) => isIn(path))),
];

/** Adds changes that are visible if the update takes effect. */
const withOtherChanges = (run: Run, base: Spec, { path }: TypedField): Spec =>
  path[0] === 'triggers' ? { ...base, enabled: false } : { ...base, ...refusedSpec(run) };

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
  const body = withValueAt(bodyOf(run, testAgent, base, refusedMetadata(run)), ['spec', ...field.path], element, value);
  return status(await sendUpdate(run, testAgent, body, variant), 400);
}

/** A valid, accepted spec around each field, with up to three elements if the field is in a list. */
async function validSpecs(
  run: Run,
  testAgent: TestAgent,
  amounts: Amounts,
): Promise<ReadonlyMap<TypedField, Spec | NotTried>> {
  const all = fields.map(({ path }) => baseFor(run, path, amounts));
  const bases = new Map(all.map((base) => [JSON.stringify(base), base]));
  const areAccepted = await acceptsTogether(run, testAgent, [...bases.values()]);
  const found = new Map<TypedField, Spec | NotTried>();
  for (const field of fields)
    found.set(field, await validSpecAround(run, testAgent, field, { amounts, areAccepted }).catch(asUnmetNeed));
  return found;
}

function asUnmetNeed(error: unknown): NotTried {
  if (error instanceof NotTried) return error;
  throw error;
}

async function validSpecAround(
  run: Run,
  testAgent: TestAgent,
  { path }: TypedField,
  { amounts, areAccepted }: { readonly amounts: Amounts; readonly areAccepted: boolean },
): Promise<Spec> {
  if (path[0] === 'volumes') {
    const volumes = await undefinedIfNotTried(attachableVolumes(run, testAgent));
    return volumes === undefined ? {} : specWithVolumes(volumes);
  }
  const base = baseFor(run, path, amounts);
  if (!areAccepted) await needAcceptedOnce(run, testAgent, base, 'a valid spec');
  return base;
}

function baseFor(run: Run, path: readonly string[], { triggers, envs }: Amounts): Spec {
  if (path[0] === 'triggers') return triggersFor(run, path, upTo(triggers));
  return path[1] === 'envs'
    ? { runtime: { envs: upTo(envs).map((each) => ({ name: `ASSAY_${each}`, value: 'text' })) } }
    : {};
}

/** The numbers of three elements, or of as many as are accepted. */
const upTo = (accepted: number): readonly number[] => [0, 1, 2].slice(0, Math.max(1, accepted));

/** The type of the trigger that the field belongs to. */
function triggerTypeOf(path: readonly string[]): TriggerType {
  const name = path.at(-1) ?? '';
  if (['schedule', 'tasks'].includes(name)) return 'cron';
  return ['callbackUrl', 'retry', 'timeout'].includes(name) ? 'http-async' : 'http';
}

const hasTypeOf = ({ path }: TypedField, { types }: Amounts): boolean =>
  path[0] !== 'triggers' || types.includes(triggerTypeOf(path));

function triggersFor(run: Run, path: readonly string[], numbers: readonly number[]): Spec {
  const type = triggerTypeOf(path);
  if (type === 'cron')
    return { triggers: numbers.map(() => ({ type, configuration: { schedule: sampleSchedule(run) } })) };
  const isAsync = type === 'http-async';
  return {
    triggers: numbers.map((each) => ({
      type,
      configuration: {
        path: `/assay/${isAsync ? 'later-' : ''}${each}`,
        ...(isAsync && { callbackUrl: sampleCallbackUrl(run) }),
      },
    })),
  };
}

/** In generated specs, which a server may validate differently. */
async function checkGeneratedSpecs(run: Run, check: RefusedUpdates['check'], accepted: Accepted): Promise<void> {
  // The configuration of a trigger depends on its type.
  const typeIndependentFields = fields.filter(({ path }) => !path.includes('configuration') && path.length > 0);
  const wrong = fc
    .constantFrom(...typeIndependentFields)
    .chain((field) =>
      fc.record({ field: fc.constant(nameOf(field)), value: fc.constantFrom(...wrongValues(field.type)) }),
    );
  await check<{ parts: AgentParts; wrong: Wrong; element: number }>({
    inputs: { parts: agentParts(accepted), wrong, element: fc.nat({ max: 3 }) },
    runs: scaleRuns(run, 60),
    examples: [],
    async refusal(testAgent, { parts: { spec }, wrong: { field, value }, element }, variant) {
      const base = await withVolumeNames(run, spec);
      return refusalMismatches(run, testAgent, { base, field: fieldNamed(field), element, value, variant });
    },
  });
}
