/** Tries sequences of steps against a model of what was accepted; what breaks shrinks to the shortest script of curl lines. */
import * as fc from 'fast-check';
import type { Run } from './run.ts';
import type { Exchange } from './target/exchange.ts';
import type { Mismatch } from './violation.ts';

/** What one step sent, in order, and what was wrong with it. */
export interface Taken {
  exchanges: readonly Exchange[];
  mismatches: readonly Mismatch[];
}

export interface Sequences<Step, Model> {
  /** Generated; decides by itself, whatever the model is. */
  step: fc.Arbitrary<Step>;
  /** Brings the target to a known state, and gives the model of it; called once a sequence. */
  begin: () => Promise<Model>;
  /** Sends the step, judges the answers by the model, and changes the model by what was accepted. */
  take: (model: Model, step: Step) => Promise<Taken>;
  /** Sequences to try; left out: a fifth of the run's inputs, for each is many calls. */
  runs?: number;
  /** Tried first. */
  examples?: readonly (readonly Step[])[];
}

const LONGEST = 8;

export async function forAllSequences<Step, Model>(run: Run, sequences: Sequences<Step, Model>): Promise<void> {
  const { step, begin, take, examples = [] } = sequences;
  const inputs = { steps: fc.array(step, { minLength: 1, maxLength: LONGEST }) };
  await run.forAll(
    inputs,
    async ({ steps }) => {
      const model = await begin();
      const before: Exchange[] = [];
      for (const each of steps) {
        const { exchanges, mismatches } = await take(model, each);
        if (mismatches.length > 0) return mismatches.map((found) => ledTo(found, [...before, ...exchanges]));
        before.push(...exchanges);
      }
      return [];
    },
    {
      runs: sequences.runs ?? Math.ceil(run.runs / 5),
      examples: examples.map((steps) => ({ steps: [...steps] })),
    },
  );
}

function ledTo(mismatch: Mismatch, exchanges: readonly Exchange[]): Mismatch {
  return { ...mismatch, before: exchanges.filter((each) => each !== mismatch.exchange) };
}
