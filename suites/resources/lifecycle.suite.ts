/** resources.lifecycle.*: the statuses of a resource after a write. */
import type { OperationId } from '../../spec/generated/types.ts';
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { isFinalStatus } from '../expect/final-status.ts';
import { createOperations, variedMetadata } from '../kit/provision/creates.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import {
  acceptedWrites,
  agentWrites,
  isRepeatable,
  neededWrite,
  readBack,
  writeTitle,
} from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';

observes('resources.lifecycle.status-sequence', async (run) => {
  const all = await acceptedWrites(run, [...(await agentWrites(run)), ...createOperations(run)]);
  await run.forEach(all.map(writeTitle), async (title) => {
    const write = all.find((each) => writeTitle(each) === title)!;
    const done = await neededWrite(run, write);
    run.observe(`${write.id}: status in the response`, statusOf(done.exchange));
    if (done.read === undefined) run.observe(`${write.id}: afterwards`, 'not readable');
    else if (isRepeatable(run, write)) await observeCourse(run, write);
    return [];
  });
});

type Records = readonly { readonly type?: unknown; readonly status?: unknown }[];

interface Observed {
  readonly status?: unknown;
  readonly events?: unknown;
}

const observedBy = ({ response: { json } }: Exchange): Observed => json ?? {};
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const statusOf = (exchange: Exchange) => {
  const { status } = observedBy(exchange);
  return { resourceStatus: status === undefined ? null : text(status) };
};
const recordsOf = (exchange: Exchange): Records => {
  const { events } = observedBy(exchange);
  return Array.isArray(events) ? (events as Records) : [];
};

/** Writes again, then reads until the status is no longer transitional. */
async function observeCourse(run: Run, { id, agent, input }: Write): Promise<void> {
  const sent = input(variedMetadata(run));
  const started = performance.now();
  const written = await run.client.call(id, sent);
  let last = written;
  await eventually(async () => (last = (await readBack(run, id, sent)) ?? last), isResting, run.patienceSeconds);
  const seconds = (performance.now() - started) / 1000;
  if (agent === undefined) await removeByRequestedName(run, id, sent);
  if (!isSuccessful(written)) return;
  run.observe(`${id}: final status`, isResting(last) ? statusOf(last) : 'not settled in time');
  run.observe(`${id}: time until then`, timeOf(seconds));
  observeRecords(run, id, written, last);
}

const isResting = (exchange: Exchange): boolean =>
  observedBy(exchange).status === undefined || isFinalStatus(observedBy(exchange).status);

/** Coarse steps, so that two runs of one target observe the same. */
function timeOf(seconds: number) {
  if (seconds < 5) return 'under 5 seconds';
  return seconds < 60 ? 'under a minute' : 'a minute or more';
}

/** The events of the write: those since the newest one in its response. */
function observeRecords(run: Run, id: OperationId, written: Exchange, last: Exchange): void {
  const earlier = new Set(
    recordsOf(written)
      .slice(0, -1)
      .map((record) => JSON.stringify(record)),
  );
  const records = recordsOf(last).filter((record) => !earlier.has(JSON.stringify(record)));
  const recorded = (name: 'type' | 'status') => records.map((record) => text(record[name] ?? 'none'));
  run.observe(`${id}: statuses of the event records`, recorded('status'));
  run.observe(`${id}: types of the event records`, [...new Set(recorded('type'))]);
}
