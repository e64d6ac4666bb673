/** Awaits each case as a vitest test, with its verdict in the test's meta and an annotation. The schedule has started them all. */
import { inject, test } from 'vitest';
import type { TestContext } from 'vitest';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { onRegister } from './conforms.ts';
import type { RunSettings } from './open-run.ts';
import { workerRun } from './worker-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The settings of the run. */
    assay: RunSettings;
    /** Absolute paths of the suite files that the worker will load. */
    suiteFiles: string[];
  }
  interface TaskMeta {
    assay?: CaseOutcome;
  }
}

// In a separate module, because this one is reloaded for each file.
const { ids, started } = await workerRun(inject('assay'), inject('suiteFiles'));

onRegister(({ rule }) => {
  const id = rule.id as CaseOutcome['result']['id'];
  // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title -- the case asserts, and its id is the title
  test(rule.id, { concurrent: true, skip: !ids.has(id) }, (context) => awaitOutcome(id, context));
});

async function awaitOutcome(id: CaseOutcome['result']['id'], context: TestContext): Promise<void> {
  const { task, annotate, skip, signal, onTestFinished } = context;
  const run = await started;
  if (signal.aborted) return;
  const pending = run.outcomes.get(id);
  // A cancelled test ends before its case: wait for pending responses before the worker exits.
  onTestFinished(async () => void (await pending));
  const outcome = await pending;
  if (signal.aborted || outcome === undefined) return;
  task.meta.assay = outcome;
  const { verdict, reason } = outcome.result;
  await annotate(reason === undefined ? verdict : `${verdict}: ${reason}`, verdict);
  if (verdict === 'not-tried') skip(reason);
  if (verdict === 'failed' || verdict === 'error') throw toTestFailure(outcome);
}

/** What vitest prints. Has no stack, because the fault is the target's. */
function toTestFailure({ result }: CaseOutcome): Error {
  const { reason, counterexample } = result;
  const lines =
    counterexample === undefined ? [] : [`input: ${JSON.stringify(counterexample.input)}`, counterexample.curl];
  const failure = new Error([`${result.verdict}: ${reason ?? ''}`, result.rule, ...lines].join('\n'));
  failure.stack = failure.message;
  return failure;
}
