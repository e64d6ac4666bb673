/** functions.create.*: functions that are bound to connections. */
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { statusClass } from '../expect/status.ts';
import { createOperations } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { saysQuota } from '../kit/provision/quota.ts';
import { needAcceptedCreate } from '../kit/provision/samples.ts';
import { acceptedWrite, isRepeatable, leastRefusedWrite } from '../kit/provision/writes.ts';
import { forAllSequences } from '../engine/sequence.ts';
import { binding, step } from './connections.ts';
import type { Model, Step } from './connections.ts';

conforms('functions.create.with-connection', async (run) => {
  const functions = run.need(
    createOperations(run).find(({ id }) => id === 'createFunction'),
    'connection',
  );
  const result = await leastRefusedWrite(run, functions);
  const isInUse = result.exchange.response.status === 409 && !saysQuota(result.exchange);
  if (!isInUse) needAcceptedCreate(run, functions.id, result.exchange, 'a function');
  if (isInUse) await bindOwnConnection(run, functions);
  else run.check(statusClass(result.exchange, '2xx'));
  if (isRepeatable(run, functions)) await anySequence(run, isInUse);
});

/** A function of the target may have the known connection, and a connection may be bound to one function at a time. */
async function bindOwnConnection(run: Run, functions: CreateOperation): Promise<void> {
  const connections = createOperations(run).find(({ id }) => id === 'createIntegrationConnection');
  const need = 'a connection that no function uses';
  const { begin, runStep, end } = binding(run, { functions, connections: run.need(connections, need) }, true);
  try {
    const { model } = await begin();
    await runStep(model, { action: 'connect', connection: 0 });
    run.need(model.connections.size, need);
    const { exchanges, mismatches } = await runStep(model, { action: 'bind', connection: 0 });
    run.check(mismatches);
    // If no function is accepted, perhaps the spec is the reason.
    for (const each of exchanges.flat())
      if ('response' in each) needAcceptedCreate(run, functions.id, each, 'a function');
  } finally {
    await end();
  }
}

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
async function anySequence(run: Run, isInUse: boolean): Promise<void> {
  const functions = createOperations(run).find(({ id }) => id === 'createFunction');
  const connections = createOperations(run).find(({ id }) => id === 'createIntegrationConnection');
  if (functions === undefined || connections === undefined || (await acceptedWrite(run, connections)) === undefined)
    return;
  if (!isRepeatable(run, connections)) return;
  const { begin, runStep, end } = binding(run, { functions, connections }, isInUse);
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
