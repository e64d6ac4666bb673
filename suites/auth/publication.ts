/** An agent that is made public and taken back, and whether it answers whoever comes without a credential. */
import type { Mismatch, Run } from '../conforms.ts';
import { eventually, isAnswered2xx } from '../eventually.ts';
import { agentUpdate, query, servingAgentToChange } from '../provision/agents.ts';
import type { Generation } from '../provision/agents.ts';
import type { Exchange } from '../target/client.ts';
import { shownSpec } from './agent-updates.ts';
import { isKeptOut } from './refused.ts';

export interface Publishable {
  readonly name: string;
  /** What it has beside `public`. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** An agent of that generation that answers inference. Throws NotTried where there is none. */
export async function publishableAgent(run: Run, generation: Generation): Promise<Publishable> {
  const name = await servingAgentToChange(run, generation);
  const { runtime, ...shown } = (await shownSpec(run, name)) as { runtime?: object };
  return { name, spec: { ...shown, enabled: true, runtime: { ...runtime, generation } } };
}

/** Sent again while the agent is busy with the last update. */
export function publish(
  run: Run,
  { name, spec }: Publishable,
  isPublic: boolean,
  more: object = {},
): Promise<Exchange> {
  const update = () => run.client.call('updateAgent', agentUpdate(name, { ...spec, ...more, public: isPublic }));
  return eventually(update, ({ answer: { status } }) => status !== 409 && status !== 423, run.patienceSeconds);
}

export const askWithout = (run: Run, { name }: Publishable): Promise<Exchange> =>
  run.as('none').call('queryAgent', { path: { agent: name }, body: { inputs: 'hello' } });

/** Waits until the agent answers without a credential; what came last where it does not. */
export const opened = (run: Run, agent: Publishable): Promise<Exchange> =>
  eventually(() => askWithout(run, agent), isAnswered2xx, run.patienceSeconds);

const IN_A_ROW = 3;

/** Waits until it is closed several times in a row: while a revision takes over, the old one may still answer now and then. */
export function closed(run: Run, agent: Publishable): Promise<Exchange> {
  const ask = async (): Promise<Exchange> => {
    let exchange = await askWithout(run, agent);
    for (let time = 1; time < IN_A_ROW && isKeptOut(exchange); time += 1) exchange = await askWithout(run, agent);
    return exchange;
  };
  return eventually(ask, isKeptOut, run.patienceSeconds);
}

/** Whether it answers those who have a credential: what it answers others tells something only then. */
export async function serves(run: Run, { name }: Publishable): Promise<boolean> {
  return isAnswered2xx(await eventually(() => query(run, name), isAnswered2xx, run.patienceSeconds));
}

const RESTING = ['DEPLOYED', 'FAILED', 'DEACTIVATED', 'TERMINATED'];
const SHORTEST_DEPLOYMENT_MS = 1500;

/**
 * Asks without a credential until the deployment that an update triggered is through, where the target shows that, else
 * for as long as a run waits; gives the first answer 2xx, else the last one.
 */
export function openedByDeployment(run: Run, agent: Publishable): Promise<Exchange> {
  const since = performance.now();
  let wasBusy = false;
  let isThrough = false;
  const ask = async (): Promise<Exchange> => {
    const status = await statusOf(run, agent);
    const rests = status !== undefined && RESTING.includes(status);
    wasBusy ||= status !== undefined && !rests;
    isThrough = rests && (wasBusy || performance.now() - since > SHORTEST_DEPLOYMENT_MS);
    return askWithout(run, agent);
  };
  return eventually(ask, (exchange) => isThrough || isAnswered2xx(exchange), run.patienceSeconds);
}

async function statusOf(run: Run, { name }: Publishable): Promise<string | undefined> {
  const { answer } = await run.client.call('getAgent', { path: { agentName: name } });
  const { status } = (answer.json ?? {}) as { status?: unknown };
  return answer.status === 200 && typeof status === 'string' ? status : undefined;
}

export const isOpen = (exchange: Exchange, why: string): Mismatch[] =>
  isAnswered2xx(exchange)
    ? []
    : [{ expected: `status 2xx without a credential ${why}`, actual: `status ${exchange.answer.status}`, exchange }];

export const isClosed = (exchange: Exchange, why: string): Mismatch[] =>
  isKeptOut(exchange)
    ? []
    : [
        {
          expected: `status 401 or 403 without a credential ${why}`,
          actual: `status ${exchange.answer.status}`,
          exchange,
        },
      ];
