/**
 * What a target has done with default and empty values, field by field: what it has done once, it must do again (decision 039).
 */
import type { Run } from '../../engine/run.ts';
import type { Exchange } from '../../target/exchange.ts';

export interface FieldHabits {
  /** The exchange in which a value was returned that the target might have omitted; undefined if there was none. */
  readonly returnedOmittable: (field: string) => Exchange | undefined;
  /** Elements of a list that earlier updates have sent. */
  readonly sentBefore: (field: string) => readonly unknown[];
  /** Elements of a list that the server has added before any update sent them. */
  readonly addedBefore: (field: string) => readonly unknown[];
}

/** For comparisons that ignore earlier responses. */
export const NO_HABITS: FieldHabits = {
  returnedOmittable: () => undefined,
  sentBefore: () => [],
  addedBefore: () => [],
};

/** What one response showed. */
export interface Evidence {
  /** Fields that were returned with a value that the target might have omitted. */
  readonly omittableFields: string[];
  /** Lists to which the server may add elements: what was sent, and what it has added. */
  readonly sentLists: ListEvidence[];
  readonly addedLists: ListEvidence[];
}

interface ListEvidence {
  readonly field: string;
  readonly elements: readonly unknown[];
}

export const newEvidence = (): Evidence => ({
  omittableFields: [],
  sentLists: [],
  addedLists: [],
});

/** false, 0, and empty strings, lists and objects. */
export function isEmptyValue(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === false || value === 0 || value === '';
}

export interface LearnedHabits extends FieldHabits {
  learn(evidence: Evidence, exchange: Exchange): void;
  /** What is known even if the response is wrong. */
  noteSent(evidence: Evidence): void;
}

function createHabits(): LearnedHabits {
  const omittableFields = new Map<string, Exchange>();
  const [sent, added] = [createElements(), createElements()];
  return {
    sentBefore: sent.of,
    addedBefore: added.of,
    noteSent: ({ sentLists }) => sent.add(sentLists),
    returnedOmittable: (field) => omittableFields.get(field),
    learn(evidence, exchange) {
      added.add(evidence.addedLists);
      for (const field of evidence.omittableFields) omittableFields.set(field, exchange);
    },
  };
}

/** Distinct elements of lists, by field. */
function createElements() {
  const byField = new Map<string, Map<string, unknown>>();
  return {
    of: (field: string): readonly unknown[] => [...(byField.get(field)?.values() ?? [])],
    add(lists: readonly ListEvidence[]): void {
      for (const { field, elements } of lists) {
        const own = byField.get(field) ?? new Map<string, unknown>();
        byField.set(field, own);
        for (const element of elements) own.set(JSON.stringify(element), element);
      }
    },
  };
}

const byRun = new WeakMap<object, Map<string, LearnedHabits>>();

/** The habits of a target in this run. `source`: the agent whose responses are compared, or the kind of agents. */
export function habitsOf({ shared }: Pick<Run, 'shared'>, source: string): LearnedHabits {
  const habits = byRun.get(shared) ?? new Map<string, LearnedHabits>();
  byRun.set(shared, habits);
  const own = habits.get(source) ?? createHabits();
  habits.set(source, own);
  return own;
}
