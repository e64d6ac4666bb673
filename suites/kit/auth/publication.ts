/** Makes an agent public and private again, and checks whether it responds without a credential. */
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { consecutively, eventually, isSuccessful } from '../../target/eventually.ts';
import { isFinalStatus } from '../../expect/final-status.ts';
import { updateWith, canBeRestored, queryAgent, servingAgentToChange, updateWhenSettled } from '../provision/agents.ts';
import type { Generation } from '../provision/agents.ts';
import type { Exchange } from '../../target/client.ts';
import type { HeaderInput } from '../../target/request-types.ts';
import { withAcceptedValues } from '../agents/accepted-values.ts';
import type { Spec } from '../agents/accepted-values.ts';
import { mergeSpecs, returnedSpec } from './agent-updates.ts';
import { isUnauthorized } from './refused.ts';
import { isRefused } from '../../expect/status.ts';
import { sharedValues } from '../../engine/shared-values.ts';

const unpublishings = sharedValues<void>();

export interface Publishable {
  readonly name: string;
  /** All other fields of the spec. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** An agent of that generation that responds to queries. Throws NotTried if there is none. */
export async function publishableAgent(run: Run, generation: Generation): Promise<Publishable> {
  const name = await servingAgentToChange(run, generation);
  const { runtime, ...returned } = (await returnedSpec(run, name, generation)) as { runtime?: object };
  const agent = { name, spec: { ...returned, enabled: true, runtime: { ...runtime, generation } } };
  await recordUnpublishing(run, agent);
  return agent;
}

/** An agent of the target file whose previous value is unknown is made private at the end of the run. */
async function recordUnpublishing(run: Run, { name, spec }: Publishable): Promise<void> {
  if (name.startsWith(run.prefix) || (await canBeRestored(run, name))) return;
  await unpublishings.get(run, name, async () => {
    const { path = {}, body } = updateWith(name, { ...spec, public: false });
    run.willChange({ changed: 'updateAgent', path, body });
  });
}

/** Retries while the agent is busy with the last update. Undefined omits `public`. */
export function publish(
  run: Run,
  { name, spec }: Publishable,
  isPublic: boolean | undefined,
  more: Spec = {},
): Promise<Exchange> {
  return updateWhenSettled(
    run,
    run.client,
    updateWith(name, { ...mergeSpecs(spec, withAcceptedValues(run, more)), public: isPublic }),
  );
}

/** Makes the agent private at the end of a case. Retries until the update is accepted or permanently refused. */
export function unpublish(run: Run, { name, spec }: Publishable): Promise<Exchange> {
  const update = () => run.client.call('updateAgent', updateWith(name, { ...spec, public: false }));
  return eventually(update, isFinal, run.patienceSeconds);
}

const TEMPORARY_STATUSES = new Set([408, 409, 423, 429]);
const isFinal = ({ response: { status } }: Exchange): boolean => status < 500 && !TEMPORARY_STATUSES.has(status);

/** Without a credential. Again with the cookie that a gateway sets in a redirect to the same URL, as a browser does. */
export async function queryWithoutCredential(
  run: Run,
  { name }: Publishable,
  headers: HeaderInput = {},
): Promise<Exchange> {
  const send = (more: HeaderInput) =>
    run
      .as('none')
      .call('queryAgent', { path: { agent: name }, body: { inputs: 'hello' }, headers: { ...headers, ...more } });
  const exchange = await send({});
  const cookie = demandedCookie(exchange);
  return cookie === undefined ? exchange : send({ Cookie: cookie });
}

function demandedCookie({ request, response: { status, headers } }: Exchange): string | undefined {
  const { location = '', 'set-cookie': cookie } = headers;
  const isRepeat = [307, 308].includes(status) && URL.parse(location, request.url)?.href === request.url;
  return isRepeat ? cookie?.split(';', 1)[0] : undefined;
}

/** Waits until the agent responds without a credential once. Returns the last exchange at the timeout. */
export const queryUntilPublic = (run: Run, agent: Publishable, headers?: HeaderInput): Promise<Exchange> =>
  eventually(() => queryWithoutCredential(run, agent, headers), isSuccessful, run.patienceSeconds);

/** Waits until the agent responds without a credential several times in a row. Returns the last exchange at the timeout. */
export function waitUntilPublic(run: Run, agent: Publishable, headers?: HeaderInput): Promise<Exchange> {
  const send = consecutively(() => queryWithoutCredential(run, agent, headers), isSuccessful);
  return eventually(send, isSuccessful, run.patienceSeconds);
}

/** Waits until the agent refuses queries without a credential several times in a row. */
export function waitUntilPrivate(run: Run, agent: Publishable, headers?: HeaderInput): Promise<Exchange> {
  let isClosedNow = false;
  const queryRepeatedly = consecutively(() => queryWithoutCredential(run, agent, headers), isRefused);
  const send = async (): Promise<Exchange> => {
    const exchange = await queryRepeatedly();
    // Any other refusal may apply to every caller while the agent is being deployed.
    isClosedNow = isUnauthorized(exchange) || (isRefused(exchange) && isSuccessful(await queryAgent(run, agent.name)));
    return exchange;
  };
  return eventually(send, () => isClosedNow, run.patienceSeconds);
}

/**
 * Whether the final response without a credential can be judged: the last deployment is complete, if that can be read,
 * and the agent is public or responds to callers with a credential.
 */
export async function canBeJudged(run: Run, agent: Publishable, exchange: Exchange): Promise<boolean> {
  const status = await statusOf(run, agent);
  if (status !== undefined && !isFinalStatus(status)) return false;
  return isSuccessful(exchange) || isSuccessful(await queryAgent(run, agent.name));
}

const MIN_DEPLOYMENT_MS = 1500;

/**
 * Queries without a credential until the deployment that an update triggered is complete, or until the timeout if that
 * cannot be read. Returns the first 2xx response, or else the last one.
 */
export function queryUntilDeployed(run: Run, agent: Publishable): Promise<Exchange> {
  const since = performance.now();
  let wasBusy = false;
  let isDeployed = false;
  const send = async (): Promise<Exchange> => {
    const status = await statusOf(run, agent);
    const isAtRest = isFinalStatus(status);
    wasBusy ||= status !== undefined && !isAtRest;
    isDeployed = isAtRest && (wasBusy || performance.now() - since > MIN_DEPLOYMENT_MS);
    return queryWithoutCredential(run, agent);
  };
  return eventually(send, (exchange) => isDeployed || isSuccessful(exchange), run.patienceSeconds);
}

async function statusOf(run: Run, { name }: Publishable): Promise<string | undefined> {
  const { response } = await run.client.call('getAgent', { path: { agentName: name } });
  const { status } = (response.json ?? {}) as { status?: unknown };
  return response.status === 200 && typeof status === 'string' ? status : undefined;
}

export const notPublicMismatches = (exchange: Exchange, why: string): Mismatch[] =>
  isSuccessful(exchange)
    ? []
    : [{ expected: `status 2xx without a credential ${why}`, actual: `status ${exchange.response.status}`, exchange }];

export const notPrivateMismatches = (exchange: Exchange, why: string): Mismatch[] =>
  isRefused(exchange)
    ? []
    : [
        {
          expected: `a refusal (4xx) without a credential ${why}`,
          actual: `status ${exchange.response.status}`,
          exchange,
        },
      ];
