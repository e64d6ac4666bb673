/** Replaces made-up values in the spec of an agent by others that the target accepts, once it has refused them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { fieldsOf, isFields } from '../../json/fields.ts';
import type { Run } from '../../engine/run.ts';
import { madeUpValues } from './made-up-values.ts';
import type { MadeUp, Replacement } from './made-up-values.ts';

type Elements = readonly Readonly<Record<string, unknown>>[];
export interface Spec {
  readonly runtime?: object;
  readonly [field: string]: unknown;
}

/** What a run has found out about one row of the table. */
interface Found {
  /** Absent while the target has accepted what was made up. */
  replacement?: Replacement;
  /**
   * Each value has its own number, so that different values stay different. Absent for samples: there may be few of them, so that
   * each spec begins with the first.
   */
  readonly numbers?: Map<string, number>;
  isTriedInPart?: boolean;
}

const byRun = new WeakMap<object, Map<MadeUp, Found>>();

/** What is being tried: other cases go on with what they use. */
const trials = new AsyncLocalStorage<ReadonlyMap<MadeUp, Replacement>>();

function foundOf(run: Pick<Run, 'shared' | 'target'>, row: MadeUp): Found {
  const all = byRun.get(run.shared) ?? new Map<MadeUp, Found>();
  byRun.set(run.shared, all);
  const known = all.get(row);
  if (known !== undefined) return known;
  const isGiven = isGivenBySamples(run, row);
  const found: Found = isGiven ? { replacement: row.fromSamples!(run.target.samples) } : { numbers: new Map() };
  all.set(row, found);
  return found;
}

function elementsOf({ runtime, ...spec }: Spec, { list }: MadeUp): Elements | undefined {
  const elements = list === 'envs' ? fieldsOf(runtime)?.['envs'] : spec[list];
  return Array.isArray(elements) && elements.every(isFields) ? elements : undefined;
}

const withElements = (spec: Spec, { list }: MadeUp, elements: Elements): Spec =>
  list === 'envs' ? { ...spec, runtime: { ...spec.runtime, envs: elements } } : { ...spec, [list]: elements };

/** The spec with the values that the target is known to accept in place of those that a run has made up. */
export const withAcceptedValues = <S extends Spec>(run: Pick<Run, 'shared' | 'target'>, spec: S): S =>
  madeUpValues.reduce((changed: Spec, row) => replaced(run, changed, row), spec) as S;

/** Whether none of its elements is dropped because there are fewer samples. */
export const isSentWhole = (run: Pick<Run, 'shared' | 'target'>, spec: Spec): boolean =>
  madeUpValues.every((row) => {
    const sent = elementsOf(withAcceptedValues(run, spec), row);
    return sent?.length === elementsOf(spec, row)?.length;
  });

function replaced(run: Pick<Run, 'shared' | 'target'>, spec: Spec, row: MadeUp): Spec {
  const found = foundOf(run, row);
  const { numbers = new Map<string, number>() } = found;
  const replacement = trials.getStore()?.get(row) ?? found.replacement;
  const elements = elementsOf(spec, row);
  if (replacement === undefined || elements === undefined) return spec;
  return withElements(
    spec,
    row,
    elements.flatMap((element): Elements => {
      const value = row.value(element);
      if (value === undefined) return [element];
      const text = JSON.stringify(value);
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      const other = replacement(element, number);
      return other === undefined ? [] : [other];
    }),
  );
}

/**
 * Once per run, if the spec has made-up elements in place of which samples are sent: whether the target accepts them with only a
 * part of the sample, which is sent from then on.
 */
export async function trySamplesInPart(run: Run, spec: Spec, accepts: Accepts): Promise<void> {
  for (const row of madeUpValues) {
    const found = foundOf(run, row);
    const [first] = madeUpIn(spec, row);
    if (
      row.partlyFromSamples === undefined ||
      !isGivenBySamples(run, row) ||
      found.isTriedInPart ||
      first === undefined
    )
      continue;
    found.isTriedInPart = true;
    const partly = row.partlyFromSamples(run.target.samples);
    await tryOthers(run, row, [partly], () => accepts(aloneIn(spec, row, [first])));
  }
}

/** Sends an update with only this spec, and returns whether it was accepted. */
type Accepts = (spec: Spec) => Promise<boolean>;

/** Sends an update with only this spec, and returns that of the response. Undefined if it was refused. */
type Returns = (spec: Spec) => Promise<Spec | undefined>;

/**
 * After a refused update that would be valid with other made-up values: sends those of each row alone. If the target refuses
 * them, tries unlike ones, which are sent from then on. Returns what is missing if it accepts none of them. Values of the target
 * file are not replaced: their refusal means something. `returns`: to try values like those that the target generates.
 */
export async function findAcceptedValues(
  run: Run,
  spec: Spec,
  accepts: Accepts,
  returns?: Returns,
): Promise<string | undefined> {
  const refused: MadeUp[] = [];
  for (const row of madeUpValues) {
    if (await findAccepted(run, spec, row, accepts, returns)) continue;
    const companion = refused.find(({ sample }) => sample !== undefined && sample === row.with);
    if (companion !== undefined && (await findTogether(run, spec, [companion, row], accepts)))
      refused.splice(refused.indexOf(companion), 1);
    else refused.push(row);
  }
  const missing = new Set<string>();
  // Documented fields: the target refuses these, and every element that needs them.
  const documented = refused.filter(({ sample }) => sample === undefined);
  const isUnrelated = ({ list }: MadeUp, element: Elements[number]): boolean =>
    documented.every((row) => row.list !== list || row.value(element) === undefined);
  for (const row of refused) {
    const isToBlame = madeUpIn(spec, row).some((element) => isUnrelated(row, row.alone(element)));
    if (row.sample === undefined || !isToBlame || (await isSampleToBlame(run, spec, row, accepts))) continue;
    const isOfNumber = await isEachAccepted(spec, row, accepts);
    missing.add(isOfNumber ? describeNumber(spec, row) : describeMissing(run, spec, row));
  }
  return missing.size === 0 ? undefined : [...missing].join('; ');
}

/** Whether the target accepts every element alone, so that it refuses how many there are, and not the values. */
async function isEachAccepted(spec: Spec, row: MadeUp, accepts: Accepts): Promise<boolean> {
  const elements = madeUpIn(spec, row);
  if (elements.length < 2) return false;
  for (const element of elements) if (!(await accepts(aloneIn(spec, row, [element])))) return false;
  return true;
}

/** Whether the target accepts the values of the row without a sample that is sent with them: it refuses the sample. */
async function isSampleToBlame(run: Run, spec: Spec, row: MadeUp, accepts: Accepts): Promise<boolean> {
  const alone = aloneIn(spec, row, madeUpIn(spec, row));
  const given = madeUpValues.filter((each) => isGivenBySamples(run, each) && madeUpIn(alone, each).length > 0);
  if (given.length === 0) return false;
  const asTheyAre = new Map(given.map((each): [MadeUp, Replacement] => [each, (element) => element]));
  return trials.run(new Map([...(trials.getStore() ?? []), ...asTheyAre]), () => accepts(alone));
}

const describeNumber = (spec: Spec, row: MadeUp): string =>
  `${madeUpIn(spec, row).length} ${row.list} at once that are accepted (each alone is accepted)`;

/** The elements of the spec with a value of the row, each value once: a list may be refused because two are equal. */
function madeUpIn(spec: Spec, row: MadeUp): Elements {
  const elements = (elementsOf(spec, row) ?? []).filter((element) => row.value(element) !== undefined);
  return [...new Map(elements.map((each) => [JSON.stringify(row.value(each)), each])).values()];
}

/** Only values that are replaced by the sample: of others the target may refuse some. */
const isGivenBySamples = (run: Pick<Run, 'target'>, row: MadeUp): boolean =>
  row.fromSamples !== undefined && hasSample(run, row);

const hasSample = ({ target: { samples } }: Pick<Run, 'target'>, { sample }: MadeUp): boolean =>
  sample !== undefined && samples[sample] !== undefined;

/** A spec with nothing but these elements. */
const aloneIn = (spec: Spec, row: MadeUp, elements: Elements): Spec =>
  withElements(row.list === 'volumes' ? { region: spec['region'] } : {}, row, elements.map(row.alone));

/** False if the target refuses what is made up in the row, and all others. */
async function findAccepted(run: Run, spec: Spec, row: MadeUp, accepts: Accepts, returns?: Returns): Promise<boolean> {
  const elements = madeUpIn(spec, row);
  if (isGivenBySamples(run, row) || elements.length === 0) return true;
  const alone = aloneIn(spec, row, elements);
  const isAccepted = () => accepts(alone);
  if ((await isAccepted()) || (await tryOthers(run, row, row.others, isAccepted))) return true;
  const likeGenerated = await replacementsLikeGenerated(spec, row, returns);
  return tryOthers(run, row, likeGenerated, isAccepted);
}

/** One for the first value that the target generates for the elements without any. */
async function replacementsLikeGenerated(spec: Spec, row: MadeUp, returns?: Returns): Promise<readonly Replacement[]> {
  const { generated } = row;
  if (generated === undefined || returns === undefined) return [];
  const sent = aloneIn(spec, row, madeUpIn(spec, row));
  const returned = await returns(withElements(sent, row, elementsOf(sent, row)!.map(generated.without)));
  const elements = returned === undefined ? [] : (elementsOf(returned, row) ?? []);
  return elements.flatMap((element) => generated.like(element) ?? []).slice(0, 1);
}

/** Of two values that are sent together, tries each of the one with each of the other. */
const findTogether = (run: Run, spec: Spec, [first, second]: readonly [MadeUp, MadeUp], accepts: Accepts) =>
  tryOthers(run, first, first.others, () => findAccepted(run, spec, second, accepts));

/** From then on, the first of the others with which it is accepted is used. */
async function tryOthers(
  run: Run,
  row: MadeUp,
  others: readonly Replacement[],
  isAccepted: () => Promise<boolean>,
): Promise<boolean> {
  const found = foundOf(run, row);
  for (const other of others) {
    if (other === found.replacement) continue;
    if (!(await trials.run(new Map([...(trials.getStore() ?? []), [row, other]]), isAccepted))) continue;
    found.replacement = other;
    return true;
  }
  return false;
}

function describeMissing(run: Run, spec: Spec, row: MadeUp): string {
  const values = madeUpIn(spec, row).map((element) => JSON.stringify(row.value(element)));
  const refused = values.slice(0, 3).join(', ');
  const hint = hasSample(run, row) ? '' : `: set samples.${row.sample} in the target file`;
  return `${row.what} that is accepted (refused: ${refused})${hint}`;
}
