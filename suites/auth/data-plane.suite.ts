/** auth.data-plane.*: inference, job executions and sandboxes without a valid credential. */
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { DATA_PLANE_RESOURCE_NEEDED } from '../../spec/requirements/need-advice.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful, isAwake, pollUntilTimeout } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { strangersOf } from '../kit/auth/carriers.ts';
import type { Stranger } from '../kit/auth/carriers.ts';
import { queryableAgent } from '../kit/provision/agents.ts';
import { dataPlaneRequests } from './data-plane-requests.ts';
import type { DataPlaneRequest } from './data-plane-requests.ts';
import { byName, DATA_PLANE_CONCURRENCY, sendDataPlane } from './every-request.ts';
import { notRefusedMismatches } from '../kit/auth/refused.ts';
import { judgesInOrder } from '../judge/judgement.ts';
import { operations } from '../../spec/operations.ts';
import { isStranger, notRefused } from '../kit/auth/seen-callers.ts';
import { agentOperations, seenAgents } from './seen-agents.ts';

const dataPlane = operations
  .filter(
    ({ documented, surface, id }) =>
      documented && ['inference', 'sandbox'].includes(surface) && id !== 'getSandboxRoot',
  )
  .map(({ id }) => id);

judgesInOrder(
  'auth.data-plane.credential-required',
  [...agentOperations, ...dataPlane, 'createJobExecution'],
  (facts) => {
    const agents = seenAgents(facts);
    return (seen) => {
      const { id } = seen.operation;
      if (agentOperations.some((each) => each === id)) return agents.note(seen);
      // A public agent requires none.
      const mayBeOpen = id === 'queryAgent' && !agents.isMk2(seen);
      return !mayBeOpen && isStranger(seen, facts) ? notRefused(seen) : undefined;
    };
  },
);

conforms('auth.data-plane.credential-required', async (run) => {
  let successCount = 0;
  const requests = byName(await dataPlaneRequests(run));
  if (requests.size === 0) {
    const { addresses, workspace, resources, allow } = run.target;
    run.need(addresses.inference ?? addresses.sandbox, 'the address of the inference surface');
    run.need(workspace, 'the workspace of the target');
    run.need(resources.job === undefined || allow !== 'read', 'write');
    // Only an agent that the run creates is left: this says why there is none.
    if (allow !== 'read') await queryableAgent(run);
    run.need(undefined, DATA_PLANE_RESOURCE_NEEDED);
  }
  const strangers = strangersOf(run);
  const whenAwake = pollUntilTimeout(isAwake, run.patienceSeconds);
  const sendAsStrangers = async (some: readonly Stranger[], request: DataPlaneRequest, input: CallInput) => {
    const all: StrangerExchange[] = [];
    for (const stranger of some) all.push([stranger, await whenAwake(() => sendAs(stranger, request, input))]);
    return all;
  };
  const sendAsEach = async (name: string): Promise<Mismatch[]> => {
    const request = requests.get(name)!;
    if ((await request.isUsable?.()) === false) return [];
    const input = await request.input(run.client);
    if (request.isSingleUse !== true && operation(request.id).surface === 'inference')
      await served(run, request, input);
    // The one without a credential after a success, because a server must not return a cached response to the next caller.
    const isOnlyBefore = request.isSingleUse === true || request.id in traceReaders;
    const first = isOnlyBefore ? strangers : strangers.slice(strangers.length / 2);
    const before = await sendAsStrangers(first, request, input);
    const traces = await traceMismatches(run, request, input);
    if (traces.length > 0) return traces;
    const control = await served(run, request, input);
    const after = await sendAsStrangers(isOnlyBefore ? [] : strangers.slice(0, strangers.length / 2), request, input);
    const found = [...before, ...after].flatMap(([{ who }, exchange]) => notRefusedMismatches(exchange, who, control));
    if (found.length > 0) return (await request.isClosed?.()) === false ? [] : found;
    if (isSuccessful(control)) successCount += 1;
    return lostSessionMismatches(run, request, control);
  };
  await run.forEach([...requests.keys()], sendAsEach, { concurrency: DATA_PLANE_CONCURRENCY });
  run.need(successCount > 0, 'an inference, job or sandbox call with a 2xx response');
});

function served(run: Run, request: DataPlaneRequest, input: CallInput): Promise<Exchange> {
  return eventually(() => sendDataPlane(run.client, request, input), isAwake, run.patienceSeconds);
}

type StrangerExchange = readonly [Stranger, Exchange];

const sendAs = (
  stranger: Stranger,
  { id, streams, triggerEvents }: DataPlaneRequest,
  input: CallInput,
): Promise<Exchange> => (streams === true ? stranger.sendForHead(id, input, triggerEvents) : stranger.send(id, input));

/** How to read the effects of a write or an execution. */
const traceReaders: Readonly<Partial<Record<OperationId, OperationId>>> = {
  writeTree: 'readTree',
  createJobExecution: 'listJobExecutions',
};

/** Effects of a refused write or execution, if they can be read. */
async function traceMismatches(
  run: Run,
  { id }: DataPlaneRequest,
  { path = {}, body }: CallInput,
): Promise<Mismatch[]> {
  const { files = {}, tasks } = (body ?? {}) as { files?: object; tasks?: readonly { assay: string }[] };
  const reader = traceReaders[id];
  if (reader === undefined) return [];
  const mark = Object.keys(files)[0] ?? tasks?.[0]?.assay ?? '\n';
  const exchange = await run.client.call(reader, { path });
  if (!isSuccessful(exchange) || !exchange.response.text.includes(`"${mark}"`)) return [];
  return [{ expected: `no effect of a ${id} that was refused`, actual: `${mark} is there`, exchange }];
}

/** A refused session end must not end the session: its owner must still be able to end it. */
async function lostSessionMismatches(run: Run, request: DataPlaneRequest, control: Exchange): Promise<Mismatch[]> {
  if (control.request.method !== 'DELETE' || isSuccessful(control)) return [];
  const fresh = await sendDataPlane(run.client, request, await request.input(run.client));
  if (!isSuccessful(fresh)) return [];
  const actual = `status ${control.response.status}`;
  return [{ expected: 'the session still there after an end that was refused', actual, exchange: control }];
}
