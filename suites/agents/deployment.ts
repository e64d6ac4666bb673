/** agents.update.triggers-deployment: the signs of a new deployment that an agent shows. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { isFinalStatus } from '../expect/final-status.ts';
import type { Exchange } from '../target/client.ts';
import { isReadable, needAccepted, put, readUntil } from '../kit/agents/subject.ts';
import type { Spec, Subject } from '../kit/agents/subject.ts';

interface Signs {
  readonly status: unknown;
  /** Records as they are printed: a run compares them and counts none, for old ones may be dropped. */
  readonly events: ReadonlySet<string>;
}

function signsIn({ answer: { json } }: Exchange): Signs {
  const { status, events } = (json ?? {}) as { status?: unknown; events?: unknown };
  const records = Array.isArray(events) ? events.map((event) => JSON.stringify(event)) : [];
  return { status, events: new Set(records) };
}

const isAtRest = (exchange: Exchange): boolean => {
  const { status } = signsIn(exchange);
  return isSuccessful(exchange) && (status === undefined || isFinalStatus(status));
};

function isAnother(before: Signs, { status, events }: Signs): boolean {
  const isOther = status !== undefined && status !== before.status;
  return isOther || [...events].some((event) => !before.events.has(event));
}

/**
 * Updates an agent, each time when its deployment is through, and waits for another one to show. Throws NotTried where
 * nothing tells one deployment from another: a rolling one may leave the status at rest, and events may be left out.
 */
export async function newDeployments(run: Run, subject: Subject, specs: readonly Spec[]): Promise<Mismatch[]> {
  const all = [];
  for (const spec of specs) all.push(await deployment(run, subject, spec));
  const isTold = all.some(({ shows, hasEvents }) => shows || hasEvents);
  run.need(isTold, 'an agent that shows its deployments, by events or by its status');
  return all.flatMap(({ found }) => found);
}

interface Deployment {
  readonly shows: boolean;
  readonly hasEvents: boolean;
  readonly found: Mismatch[];
}

async function deployment(run: Run, subject: Subject, spec: Spec): Promise<Deployment> {
  const readable = await isReadable(run, subject);
  const look = () => put(run, subject, spec);
  // Where only updates show an agent, they are what is waited with.
  const atRest = readable ? await readUntil(run, subject, isAtRest) : await put(run, subject);
  const before = signsIn(atRest);
  run.need(before.status !== undefined || before.events.size > 0, 'an agent whose answer shows status or events');
  run.need(!readable || isAtRest(atRest), `an agent whose deployment is through: it is ${String(before.status)}`);
  const updated = await needAccepted(run, subject, spec, 'a valid update');
  const showsIn = (exchange: Exchange): boolean =>
    isSuccessful(exchange) && (isAnother(before, signsIn(exchange)) || !isAtRest(exchange));
  if (showsIn(updated)) return { shows: true, hasEvents: false, found: [] };
  const later = readable
    ? await readUntil(run, subject, showsIn)
    : await updatedUntil(look, showsIn, run.patienceSeconds);
  run.need(isSuccessful(later), 'an answer that shows the agent after its update');
  const shows = showsIn(later);
  const hasEvents = before.events.size + signsIn(later).events.size > 0;
  const expected = 'another status than before the update, or an event record that was not there';
  const actual = `status ${String(signsIn(later).status)}, and the same event records`;
  return { shows, hasEvents, found: shows ? [] : [{ expected, actual, exchange: later, before: [atRest, updated] }] };
}

const FIRST_PAUSE_SECONDS = 0.1;

/** An update may supersede a deployment that is on its way, so that none is ever through: each leaves twice the time. */
async function updatedUntil(
  update: () => Promise<Exchange>,
  holds: (answer: Exchange) => boolean,
  seconds: number,
): Promise<Exchange> {
  const end = performance.now() + seconds * 1000;
  for (let pause = FIRST_PAUSE_SECONDS; ; pause *= 2) {
    const leftMs = end - performance.now();
    await wait(Math.min(pause * 1000, Math.max(0, leftMs)));
    const answer = await update();
    if (leftMs <= 0 || holds(answer)) return answer;
  }
}
