/** Runs each case as a vitest test, with its verdict in the test's meta and an annotation. */
import { inject, test } from 'vitest';
import type { TestContext } from 'vitest';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { onRegister } from './conforms.ts';
import type { RunSettings } from './open-run.ts';
import { runCase } from './run-case.ts';
import type { Case } from './run-case.ts';
import { workerRun } from './worker-run.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The settings of the run. */
    assay: RunSettings;
  }
  interface TaskMeta {
    assay?: CaseOutcome;
  }
}

onRegister((registered) => {
  const settings = inject('assay');
  const selected = settings.selected?.includes(registered.rule.id as CaseOutcome['result']['id']) ?? true;
  // oxlint-disable-next-line vitest/expect-expect, vitest/valid-title -- the case asserts, and its id is the title
  test(registered.rule.id, { concurrent: !registered.sequential, skip: !selected }, (context) =>
    runTest(registered, settings, context),
  );
});

async function runTest(registered: Case, settings: RunSettings, context: TestContext): Promise<void> {
  const { task, annotate, skip, signal, onTestFinished } = context;
  const run = await workerRun(settings); // in a separate module: this one is reloaded for each file
  if (signal.aborted) return;
  signal.addEventListener('abort', () => run.stop());
  const outcomePromise = runCase(registered, run.context);
  // An interrupted test ends before its case: wait for pending responses before the worker exits.
  onTestFinished(async () => void (await outcomePromise));
  const outcome = await outcomePromise;
  if (signal.aborted) return; // an interrupted case has no verdict
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
