/** functions.create.*: functions that are bound to connections. */
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { createOperations, plainMetadata } from '../kit/provision/creates.ts';
import { needAcceptedSpec } from '../kit/provision/samples.ts';
import { needQuota } from '../kit/provision/quota.ts';
import { acceptedWrite, firstWrite, isRepeatable, performWrite } from '../kit/provision/writes.ts';
import { forAllSequences } from '../engine/sequence.ts';
import { binding, step } from './connections.ts';
import type { Model, Step } from './connections.ts';

conforms('functions.create.with-connection', async (run) => {
  const functions = run.need(
    createOperations(run).find(({ id }) => id === 'createFunction'),
    'connection',
  );
  const rich = await firstWrite(run, functions);
  // Another rule checks refusals because of the metadata.
  const result = isSuccessful(rich.exchange) ? rich : await performWrite(run, functions, plainMetadata(run));
  needQuota(run, result.exchange, 'a function');
  needAcceptedSpec(run, functions.id, result.exchange);
  run.check(statusClass(result.exchange, '2xx'));
  if (isRepeatable(run, functions)) await anySequence(run);
});

const examples: Step[][] = [
  [
    { action: 'connect', connection: 0 },
    { action: 'bind', connection: 0 },
    { action: 'bind', connection: 0 },
    { action: 'query once deployed' },
    { action: 'bind', connection: 0 },
  ],
  [
    { action: 'connect', connection: 0 },
    { action: 'connect', connection: 1 },
    { action: 'disconnect', connection: 0 },
    { action: 'bind', connection: 1 },
    { action: 'bind to the known connection' },
  ],
];

/** Includes connections of the run, if it can create and remove them. */
async function anySequence(run: Run): Promise<void> {
  const functions = createOperations(run).find(({ id }) => id === 'createFunction');
  const connections = createOperations(run).find(({ id }) => id === 'createIntegrationConnection');
  if (functions === undefined || connections === undefined || (await acceptedWrite(run, connections)) === undefined)
    return;
  if (!isRepeatable(run, connections)) return;
  const { begin, runStep, end } = binding(run, { functions, connections });
  try {
    await forAllSequences<Step, Model>(run, {
      step,
      start: begin,
      runStep,
      examples,
    });
  } finally {
    await end();
  }
}
