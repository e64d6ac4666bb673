/** auth.data-plane.*: inference, job executions and sandboxes without a valid credential. */
import { operation } from '../../spec/operations.ts';
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSuccessful, isAwake } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import type { CallInput } from '../target/request-types.ts';
import { strangersOf } from '../kit/auth/carriers.ts';
import type { Stranger } from '../kit/auth/carriers.ts';
import { dataPlaneRequests } from './data-plane-requests.ts';
import type { DataPlaneRequest } from './data-plane-requests.ts';
import { sendDataPlane } from './every-request.ts';
import { notRefusedMismatches } from '../kit/auth/refused.ts';

conforms('auth.data-plane.credential-required', async (run) => {
  let successCount = 0;
  for (const request of await dataPlaneRequests(run)) {
    const input = await request.input(run.client);
    if (request.isSingleUse !== true && operation(request.id).surface === 'inference')
      await served(run, request, input);
    const before = await sendAsStrangers(run, request, input);
    run.check(await traceMismatches(run, request, input));
    const control = await served(run, request, input);
    const after = request.isSingleUse === true ? [] : await sendAsStrangers(run, request, input);
    const found = [...before, ...after].flatMap(([{ who }, exchange]) => notRefusedMismatches(exchange, who, control));
    if (found.length > 0 && (await request.isClosed?.()) === false) continue;
    run.check(found);
    run.check(await lostSessionMismatches(run, request, control));
    if (isSuccessful(control)) successCount += 1;
  }
  run.need(successCount > 0, 'an inference, job or sandbox call with a 2xx response');
});

function served(run: Run, request: DataPlaneRequest, input: CallInput): Promise<Exchange> {
  return eventually(() => sendDataPlane(run.client, request, input), isAwake, run.patienceSeconds);
}

type StrangerExchange = readonly [Stranger, Exchange];

async function sendAsStrangers(
  run: Run,
  { id, streams, triggerEvents }: DataPlaneRequest,
  input: CallInput,
): Promise<StrangerExchange[]> {
  const all: StrangerExchange[] = [];
  for (const stranger of strangersOf(run)) {
    all.push([
      stranger,
      await (streams === true ? stranger.sendForHead(id, input, triggerEvents) : stranger.send(id, input)),
    ]);
  }
  return all;
}

/** Effects of a refused write or execution, if they can be read. */
async function traceMismatches(
  run: Run,
  { id }: DataPlaneRequest,
  { path = {}, body }: CallInput,
): Promise<Mismatch[]> {
  const { files = {}, tasks } = (body ?? {}) as { files?: object; tasks?: readonly { assay: string }[] };
  const readers = {
    writeTree: () => ['readTree', Object.keys(files)[0]] as const,
    createJobExecution: () => ['listJobExecutions', tasks?.[0]?.assay] as const,
  };
  if (!(id in readers)) return [];
  const [reader, mark = '\n'] = readers[id as keyof typeof readers]();
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
