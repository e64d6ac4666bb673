/** Inference, job executions and sandboxes without a credential that counts. */
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
import { askDataPlane } from './every-request.ts';
import { keptOut } from '../kit/auth/refused.ts';

conforms(
  'auth.data-plane.credential-required',
  async (run) => {
    let answered = 0;
    for (const request of await dataPlaneRequests(run)) {
      const input = await request.input(run.client);
      if (request.once !== true && operation(request.id).surface === 'inference') await served(run, request, input);
      const before = await askedByStrangers(run, request, input);
      run.check(await tracesOf(run, request, input));
      const control = await served(run, request, input);
      const after = request.once === true ? [] : await askedByStrangers(run, request, input);
      const found = [...before, ...after].flatMap(([{ who }, exchange]) => keptOut(exchange, who, control));
      if (found.length > 0 && (await request.isClosed?.()) === false) continue;
      run.check(found);
      run.check(await sessionIsOver(run, request, control));
      if (isSuccessful(control)) answered += 1;
    }
    run.need(answered > 0, 'an inference, job or sandbox call that is answered 2xx');
  },
  { sequential: true },
);

function served(run: Run, request: DataPlaneRequest, input: CallInput): Promise<Exchange> {
  return eventually(() => askDataPlane(run.client, request, input), isAwake, run.patienceSeconds);
}

type Asked = readonly [Stranger, Exchange];

async function askedByStrangers(run: Run, { id, streams, stir }: DataPlaneRequest, input: CallInput): Promise<Asked[]> {
  const all: Asked[] = [];
  for (const stranger of strangersOf(run)) {
    all.push([stranger, await (streams === true ? stranger.look(id, input, stir) : stranger.ask(id, input))]);
  }
  return all;
}

/** What a refused write or execution has left behind, where that can be read. */
async function tracesOf(run: Run, { id }: DataPlaneRequest, { path = {}, body }: CallInput): Promise<Mismatch[]> {
  const { files = {}, tasks } = (body ?? {}) as { files?: object; tasks?: readonly { assay: string }[] };
  const readers = {
    writeTree: () => ['readTree', Object.keys(files)[0]] as const,
    createJobExecution: () => ['listJobExecutions', tasks?.[0]?.assay] as const,
  };
  if (!(id in readers)) return [];
  const [reader, mark = '\n'] = readers[id as keyof typeof readers]();
  const exchange = await run.client.call(reader, { path });
  if (!isSuccessful(exchange) || !exchange.answer.text.includes(`"${mark}"`)) return [];
  return [{ expected: `no effect of a ${id} that was refused`, actual: `${mark} is there`, exchange }];
}

/** An end that is refused to strangers must leave the session to its owner: who may end another one, but not this, has lost it. */
async function sessionIsOver(run: Run, request: DataPlaneRequest, control: Exchange): Promise<Mismatch[]> {
  if (control.request.method !== 'DELETE' || isSuccessful(control)) return [];
  const fresh = await askDataPlane(run.client, request, await request.input(run.client));
  if (!isSuccessful(fresh)) return [];
  const actual = `status ${control.answer.status}`;
  return [{ expected: 'the session still there after an end that was refused', actual, exchange: control }];
}
