/** Groups differences by cause, and says which target breaks a rule there. */
import type { DifferenceClass } from '../../spec/formats/comparison.ts';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { STATUS, type Difference } from './compare-responses.ts';
import type { StepResult } from './lockstep.ts';
import { VALID } from './twists.ts';
import type { Step } from './step.ts';

export interface Cause {
  readonly operation: OperationId;
  readonly context: string;
  readonly at: string;
  readonly class: DifferenceClass;
  /** The rules that only this target breaks. */
  readonly broken: { readonly a: readonly RequirementId[]; readonly b: readonly RequirementId[] };
  readonly first: {
    readonly number: number;
    readonly step: Step;
    readonly result: StepResult;
    readonly difference: Difference;
  };
  /** How many steps show it. */
  count: number;
}

/** In place of a value that differs: a rule that only one target breaks. */
const RULE = 'rule ';
/** An operation that the document does not name, and that one target does not have. */
export const ABSENT = 'operation';

/** What differs in a step, and what differs in the rules that it keeps. */
export function differencesIn(step: Step, { differences, broken, exchanges }: StepResult): readonly Difference[] {
  const [a, b] = [exchanges.a.response.status, exchanges.b.response.status];
  const { documented, since } = operation(step.operation);
  if ((!documented || since !== undefined) && isAbsent(a) !== isAbsent(b)) return [{ at: ABSENT, a, b }];
  if (differences.length > 0) return differences;
  return [
    ...broken.a.map((rule) => ({ at: `${RULE}${rule}`, a: 'broken', b: 'kept' })),
    ...broken.b.map((rule) => ({ at: `${RULE}${rule}`, a: 'kept', b: 'broken' })),
  ];
}

const isAbsent = (status: number): boolean => [404, 405, 501].includes(status);

export interface Causes {
  readonly list: readonly Cause[];
  readonly isKnown: (step: Step, at: string) => boolean;
  /** Returns whether the step differs. */
  readonly note: (number: number, step: Step, result: StepResult) => boolean;
}

/** What kind of a difference it is. */
export type Classify = (difference: Difference, broken: StepResult['broken']) => DifferenceClass;

export function collectCauses(classify: Classify): Causes {
  const found = new Map<string, Cause>();
  return {
    get list() {
      return [...found.values()];
    },
    isKnown: (step, at) => [...found.values()].some((each) => each.operation === step.operation && each.at === at),
    note(number, step, result) {
      const differences = differencesIn(step, result);
      for (const difference of new Map(differences.map((each) => [each.at, each])).values()) {
        const { at } = difference;
        const keys = keysOf(step, difference, result.exchanges.a.response.status);
        const known = keys.map((key) => found.get(key)).find((cause) => cause !== undefined);
        if (known !== undefined) known.count += 1;
        else
          found.set(keys[0]!, {
            operation: step.operation,
            context: at === ABSENT ? 'any' : step.context,
            at,
            ...classifyCause(difference, result.broken, classify),
            first: { number, step, result, difference },
            count: 1,
          });
      }
      return differences.length > 0;
    },
  };
}

/**
 * The first one is that of the cause; with any of the others the cause is known: a field that differs in valid requests differs in
 * all. What differs in refusals is one cause, whatever is refused; so are two successes with different statuses.
 */
function keysOf({ operation: id, context }: Step, { at, a, b }: Difference, status: number): string[] {
  if (at === ABSENT) return [`${id} ${at}`];
  if (at !== STATUS && status >= 400 && !at.startsWith(RULE)) return [`${id} refusal ${at}`];
  if (at !== STATUS) return [`${id} ${context} ${at}`, `${id} ${VALID} ${at}`];
  const kind = Math.floor(Number(a) / 100) === Math.floor(Number(b) / 100) ? '' : ` ${context}`;
  return [`${id}${kind} ${at} ${String(a)} ${String(b)}`, `${id} ${VALID} ${at} ${String(a)} ${String(b)}`];
}

function classifyCause(difference: Difference, all: StepResult['broken'], classify: Classify) {
  const { at } = difference;
  const rule = at.startsWith(RULE) ? at.slice(RULE.length) : undefined;
  const own = (rules: readonly RequirementId[]) => rules.filter((each) => rule === undefined || each === rule);
  const broken = { a: own(all.a), b: own(all.b) };
  return { class: classify(difference, broken), broken };
}

/** By the rules that only one of two targets breaks. */
export const classOfTargets: Classify = (_, { a, b }) => {
  if (a.length > 0 && b.length > 0) return 'both-break';
  if (a.length > 0) return 'a-breaks';
  return b.length > 0 ? 'b-breaks' : 'observation';
};

/** What the second of two versions adds or accepts breaks no client of the first; everything else may. */
export const classOfVersions: Classify = ({ at, a, b }) => {
  if (at === ABSENT) return isAbsent(Number(a)) ? 'compatible' : 'breaking';
  if (at === STATUS) return Number(a) >= 400 && Number(b) < 400 ? 'compatible' : 'breaking';
  if (at.startsWith(RULE)) return b === 'broken' ? 'breaking' : 'compatible';
  return a === undefined ? 'compatible' : 'breaking';
};
