/** Tests sequences of steps against a model of the target's state. A failure shrinks to the shortest curl script. */
import * as fc from 'fast-check';
import { shrinkable, withoutAnElement } from '../generators/shrinkable.ts';
import type { Run } from './run.ts';
import { exchangesOf, Violation } from '../target/violation.ts';
import type { Mismatch, Sent } from '../target/violation.ts';

/** The exchanges of one step, in order, and their mismatches. */
export interface StepResult {
  exchanges: readonly Sent[];
  mismatches: readonly Mismatch[];
}

/** The model of a known state, and the exchanges that establish it, in order. */
export interface InitialState<Model> {
  model: Model;
  exchanges: readonly Sent[];
}

export interface Sequences<Step, Model> {
  /** Independent of the model. */
  step: fc.Arbitrary<Step>;
  /** Brings the target to a known state. Called once per sequence. */
  start: () => Promise<InitialState<Model>>;
  /** Sends the step, compares the responses with the model, and applies accepted changes to the model. */
  runStep: (model: Model, step: Step) => Promise<StepResult>;
  /** Compares the target with the model after the last step. */
  end?: (model: Model) => Promise<StepResult>;
  /** Sequences to test. Defaults to a fifth of the run's inputs, because each sends many requests. */
  runs?: number;
  /** Tested first. */
  examples?: readonly (readonly Step[])[];
}

const MAX_LENGTH = 8;

export async function forAllSequences<Step, Model>(run: Run, sequences: Sequences<Step, Model>): Promise<void> {
  const { step, examples = [] } = sequences;
  let broken: readonly Step[] = [];
  try {
    await run.forAll(
      { steps: shrinkable(fc.array(step, { minLength: 1, maxLength: MAX_LENGTH }), withoutAnElement(1)) },
      async ({ steps }) => {
        const { steps: performed, mismatches } = await runSequence(sequences, steps);
        if (mismatches.length > 0) broken = performed;
        return mismatches;
      },
      {
        sequential: true,
        runs: sequences.runs ?? Math.ceil(run.runs / 5),
        examples: examples.map((steps) => ({ steps: [...steps] })),
      },
    );
  } catch (error) {
    if (!(error instanceof Violation) || error.failingInput === undefined) throw error;
    // Steps after the failing one did not run.
    throw new Violation(error.mismatches, { ...error.failingInput, input: { steps: broken } });
  }
}

interface SequenceResult<Step> {
  /** Up to and including the failing one. */
  readonly steps: readonly Step[];
  readonly mismatches: readonly Mismatch[];
}

async function runSequence<Step, Model>(
  { start: begin, runStep: take, end = async () => ({ exchanges: [], mismatches: [] }) }: Sequences<Step, Model>,
  steps: readonly Step[],
): Promise<SequenceResult<Step>> {
  const performed: Step[] = [];
  const sent: Sent[] = [];
  try {
    const { model, exchanges } = await begin();
    sent.push(...exchanges);
    for (const each of steps) {
      performed.push(each);
      const step = await take(model, each);
      sent.push(...step.exchanges);
      if (step.mismatches.length > 0) return { steps: performed, mismatches: withHistory(step.mismatches, sent) };
    }
    const last = await end(model);
    return { steps: performed, mismatches: withHistory(last.mismatches, [...sent, ...last.exchanges]) };
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    return { steps: performed, mismatches: withHistory(error.mismatches, sent) };
  }
}

const withHistory = (mismatches: readonly Mismatch[], sent: readonly Sent[]): Mismatch[] =>
  mismatches.map((mismatch) => {
    const isOfIt = (each: Sent): boolean => exchangesOf(each).includes(mismatch.exchange);
    const related = sent.filter(isOfIt).flatMap(exchangesOf);
    return {
      ...mismatch,
      before: [
        ...sent.filter((each) => !isOfIt(each)),
        ...(mismatch.before ?? []).filter((each) => !sent.includes(each)),
      ],
      concurrent: [
        ...related.filter((each) => each !== mismatch.exchange),
        ...(related.length === 0 ? (mismatch.concurrent ?? []) : []),
      ],
    };
  });
