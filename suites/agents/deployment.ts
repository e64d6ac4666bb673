/** agents.update.triggers-deployment: detects a new deployment by status and events. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { isSuccessful, noteWait } from '../target/eventually.ts';
import { isFinalStatus } from '../expect/final-status.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Exchange } from '../target/client.ts';
import { isReadable, needAccepted, put, readUntil, readUntilUpdated } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';

interface DeploymentState {
  readonly status: unknown;
  /** Serialized event records. They are compared, not counted, since old ones may be dropped. */
  readonly events: ReadonlySet<string>;
  readonly hasRevisions: boolean;
  readonly hasTimes: boolean;
}

/** Without times and revisions, the records of two deployments may be equal. */
const areEventsDistinct = ({ hasRevisions, hasTimes }: DeploymentState): boolean => hasRevisions || hasTimes;

/** An update. One with metadata changes only these, compared with the one before it. */
export interface DeployedUpdate {
  readonly spec: Spec;
  readonly metadata?: object;
}

function parseState({ response: { json } }: Exchange): DeploymentState {
  const { status, events } = (json ?? {}) as { status?: unknown; events?: unknown };
  const records: unknown[] = Array.isArray(events) ? events : [];
  const have = (field: string): boolean => records.some((record) => isText(fieldsOf(record)?.[field]));
  return {
    status,
    events: new Set(records.map((record) => JSON.stringify(record))),
    hasRevisions: have('revision'),
    hasTimes: have('time'),
  };
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const isAtRest = (exchange: Exchange): boolean => {
  const { status } = parseState(exchange);
  return isSuccessful(exchange) && (status === undefined || isFinalStatus(status));
};

function hasChanged(before: DeploymentState, { status, events }: DeploymentState): boolean {
  const hasOtherStatus = status !== undefined && status !== before.status;
  return hasOtherStatus || [...events].some((event) => !before.events.has(event));
}

/**
 * Updates an agent after each finished deployment and waits for signs of the next one. Throws NotTried if deployments
 * cannot be distinguished: a rolling one may keep the status, and events may be omitted or lack revision and time.
 */
export async function checkDeployments(
  run: Run,
  testAgent: TestAgent,
  updates: readonly DeployedUpdate[],
): Promise<Mismatch[]> {
  const all: Deployment[] = [];
  for (const update of updates) {
    // Few deployments take less time: an earlier read would be in vain.
    if (all.length > 0) await wait(MIN_DEPLOYMENT_SECONDS * 1000);
    const isHidden = all.length > 0 && all.every(({ shows }) => !shows);
    all.push(await deployment(run, testAgent, update, isHidden ? BRIEF_SECONDS : run.patienceSeconds));
  }
  const isObservable = all.some(({ shows, hasDistinctEvents }) => shows || hasDistinctEvents);
  run.need(isObservable, 'an agent whose events or status change with a deployment');
  return all.flatMap(({ found }) => found);
}

interface Deployment {
  readonly shows: boolean;
  readonly hasDistinctEvents: boolean;
  readonly found: Mismatch[];
}

async function deployment(
  run: Run,
  testAgent: TestAgent,
  { spec, metadata }: DeployedUpdate,
  seconds: number,
): Promise<Deployment> {
  const readable = await isReadable(run, testAgent);
  const update = () => put(run, testAgent, spec, metadata);
  // Without a read, updates are the only way to see the agent.
  const atRest = readable ? await readUntil(run, testAgent, isAtRest) : await put(run, testAgent);
  if (readable)
    run.need(
      isSuccessful(atRest),
      `an agent that can be read (GET /agents/{agentName} returned ${atRest.response.status})`,
    );
  const before = parseState(atRest);
  run.need(before.status !== undefined || before.events.size > 0, 'an agent whose response has status or events');
  run.need(
    !readable || isAtRest(atRest),
    `an agent whose deployment is finished: after ${run.patienceSeconds} s its status is still ${String(before.status)}`,
  );
  // Times may be whole seconds.
  if (!before.hasRevisions || metadata !== undefined) await wait(SECOND_MS);
  const updated = await needAccepted(run, testAgent, spec, 'a valid update', metadata);
  const isReportedIn = (exchange: Exchange): boolean =>
    isSuccessful(exchange) && (hasChanged(before, parseState(exchange)) || !isAtRest(exchange));
  if (isReportedIn(updated)) return { shows: true, hasDistinctEvents: false, found: [] };
  const look = (): Promise<Exchange> =>
    // Events may come later than the rest; without any, only the status can change.
    before.events.size > 0
      ? readUntil(run, testAgent, isReportedIn, seconds)
      : readUntilUpdated(run, testAgent, { spec }, isReportedIn, seconds);
  const last = readable ? await look() : await updateUntil(update, isReportedIn, seconds);
  const route = readable ? 'GET /agents/{agentName}' : 'PUT /agents/{agentName}';
  run.need(
    isSuccessful(last),
    `a response with the agent after its update (${route} returned ${last.response.status})`,
  );
  const shows = isReportedIn(last);
  const after = parseState(last);
  // A revision may be the same one if the spec is.
  const isDecided = metadata === undefined || (before.hasTimes && after.hasTimes);
  const expected = 'a new status or a new event record after the update';
  const actual = `status ${String(after.status)} and the same event records`;
  return {
    shows,
    hasDistinctEvents: areEventsDistinct(before) || areEventsDistinct(after),
    found: shows || !isDecided ? [] : [{ expected, actual, exchange: last, before: [atRest, updated] }],
  };
}

const MIN_DEPLOYMENT_SECONDS = 1;
/** After an update that showed nothing for as long as the run is patient. */
const BRIEF_SECONDS = 5;
const SECOND_MS = 1000;
const FIRST_PAUSE_SECONDS = 0.1;

/** Doubles the pause before each update, since an update may supersede a running deployment. */
async function updateUntil(
  update: () => Promise<Exchange>,
  holds: (response: Exchange) => boolean,
  seconds: number,
): Promise<Exchange> {
  const start = performance.now();
  const end = start + seconds * 1000;
  for (let pause = FIRST_PAUSE_SECONDS; ; pause *= 2) {
    const remainingMs = end - performance.now();
    await wait(Math.min(pause * 1000, Math.max(0, remainingMs)));
    const response = await update();
    if (holds(response)) return response;
    if (remainingMs > 0) continue;
    noteWait(response, (performance.now() - start) / 1000);
    return response;
  }
}
