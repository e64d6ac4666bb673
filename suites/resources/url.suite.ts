/** resources.url.*: the URL of a workload. */
import { conforms } from '../engine/conforms.ts';
import { alsoJudgesInOrder, judges } from '../judge/judgement.ts';
import { seenResource } from '../kit/resources/seen-resource.ts';
import type { Run } from '../engine/conforms.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import { isOmitted } from '../json/fields.ts';
import { agentToChange, generations, queryAgent } from '../kit/provision/agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { agentWrites, performWrite } from '../kit/provision/writes.ts';
import { learnWriteTiming, readWriteUntil } from '../kit/provision/update-timing.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';
import { judgeSharedUrls, sharedUrls } from './shared-urls.ts';
import { agentUpdates, resourceResponses } from './resource-responses.ts';
import { metadataOf, mismatch, returnedResource, formatValue } from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';

const workloads = new Set<string | undefined>(['updateAgent', 'createFunction']);

judges('resources.url.present-on-workloads', ['updateAgent', 'createFunction', 'getAgent'], (seen) => {
  const returned = seenResource(seen);
  if (returned === undefined) return undefined;
  const isDeployedAgent = seen.operation.id !== 'createFunction' && returned.resource['status'] === 'DEPLOYED';
  const { url } = metadataOf(returned);
  return (isOmitted(url) || url === '') && !isDeployedAgent ? undefined : notAbsolute(returned, url);
});

alsoJudgesInOrder('resources.url.present-on-workloads', judgeSharedUrls);

conforms('resources.url.present-on-workloads', async (run) => {
  const responses = (await resourceResponses(run)).filter(({ operation }) => workloads.has(operation));
  const judged = responses.filter((each) => isJudged(each) || (each.operation === 'updateAgent' && isDeployed(each)));
  // At the same time, because each may wait for a deployment.
  const deployed = generations.map(async (generation) => {
    const { exchanges } = await agentUpdates(run, generation);
    return exchanges.some(isJudged) ? [] : onceDeployed(run, generation);
  });
  judged.push(...(await Promise.all(deployed)).flat());
  run.need(judged.length > 0, 'a deployed agent, or a response with a url');
  run.check(...judged.map(withoutUrl), sharedUrls(judged));
});

const urlIn = (exchange: Exchange): unknown => {
  const returned = returnedResource(exchange);
  return returned && metadataOf(returned)['url'];
};

/** A workload that is not deployed may have no URL. If there is one, it must be a URL. */
const isJudged = (exchange: Exchange): boolean => !isOmitted(urlIn(exchange));
const isDeployed = (exchange: Exchange): boolean => returnedResource(exchange)?.resource['status'] === 'DEPLOYED';

/** The agent after an update that enables it, if it can be read and is deployed. */
async function onceDeployed(run: Run, generation: Generation): Promise<Exchange[]> {
  const [write] = await agentWrites(run, generation);
  if (write === undefined) return [];
  await learnWriteTiming(run, write);
  const written = await performWrite(run, write, {}, { isRead: true });
  if (written.read === undefined) return [];
  const shows = (returned: Exchange): boolean => isDeployed(returned) && isJudged(returned);
  return [await readWriteUntil(run, write, written, shows)].filter(isDeployed);
}

function withoutUrl(exchange: Exchange): Mismatch[] {
  const returned = returnedResource(exchange);
  return returned === undefined ? [] : notAbsolute(returned, urlIn(exchange));
}

function notAbsolute(returned: ReturnedResource, url: unknown): Mismatch[] {
  const isAbsolute = typeof url === 'string' && /^https?:\/\/./i.test(url) && URL.canParse(url);
  if (isAbsolute) return [];
  return [mismatch(returned, 'metadata.url: an absolute URL', `metadata.url: ${formatValue(url)}`)];
}

conforms('resources.url.serves-the-agent', async (run) => {
  run.need(run.target.addresses.inference, 'the address of the inference surface');
  let triedCount = 0;
  let refusal = '';
  const serves = async (name: keyof typeof enabledAgents): Promise<Mismatch[]> => {
    const last = await enabledAgent(run, enabledAgents[name]);
    if (last === undefined) return [];
    if (pathOfUrl(run, last) === undefined) {
      refusal = `: its url is ${formatValue(urlIn(last))}, and addresses.inference in the target file ${run.target.addresses.inference}`;
      return [];
    }
    const documented = await queryByName(run, last);
    if (documented === undefined) return [];
    if (!isSuccessful(documented)) {
      refusal = `: at its name, it returned ${documented.response.status}`;
      return [];
    }
    triedCount += 1;
    // The update has begun a deployment, during which the agent may be missing for a moment.
    const served = await eventually(() => queryByUrl(run, last), isSuccessful, run.patienceSeconds);
    return statusClass(served, '2xx').map((found) => ({ ...found, before: [last, documented] }));
  };
  try {
    await run.forEach(['mk2', 'mk3', 'public mk3'] as const, serves);
  } finally {
    await enabledAgent(run, { generation: 'mk3', spec: { public: false } });
  }
  // The agent of this round may not respond.
  for (const generation of generations) if (triedCount === 0) run.check(await serves(generation));
  if (triedCount === 0) await agentToChange(run);
  run.need(triedCount, `an agent that responds and whose url is below the inference address${refusal}`);
});

interface EnabledAgent {
  readonly generation: Generation;
  /** Sent only to an agent of the run. */
  readonly spec?: object;
}

const enabledAgents = {
  mk2: { generation: 'mk2' },
  mk3: { generation: 'mk3' },
  'public mk3': { generation: 'mk3', spec: { public: true } },
} as const satisfies Readonly<Record<string, EnabledAgent>>;

/** The response to an update that enables the agent. Undefined if it was refused. */
async function enabledAgent(run: Run, { generation, spec }: EnabledAgent): Promise<Exchange | undefined> {
  const [write] = await agentWrites(run, generation);
  if (write === undefined || (spec !== undefined && write.agent?.startsWith(run.prefix) !== true)) return undefined;
  const options = { isRead: false, ...(spec && { more: { spec } }) };
  const { exchange } = await performWrite(run, write, {}, options);
  return isSuccessful(exchange) ? exchange : undefined;
}

/** The response at the documented path. Undefined if the name of the agent is unknown. */
async function queryByName(run: Run, exchange: Exchange): Promise<Exchange | undefined> {
  const returned = returnedResource(exchange);
  const name = returned && metadataOf(returned)['name'];
  if (typeof name !== 'string') return undefined;
  return eventually(() => queryAgent(run, name), isSuccessful, run.patienceSeconds);
}

const queryByUrl = (run: Run, exchange: Exchange): Promise<Exchange> =>
  run.client.send({
    surface: 'inference',
    method: 'POST',
    path: pathOfUrl(run, exchange) ?? '',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ inputs: 'hello' }),
  });

/** The url below the inference address. Undefined elsewhere, because credentials are only sent to the target's addresses. */
function pathOfUrl({ target }: Run, exchange: Exchange): string | undefined {
  const url = urlIn(exchange);
  const { inference } = target.addresses;
  const isBelow = typeof url === 'string' && inference !== undefined && url.startsWith(`${inference}/`);
  return isBelow ? url.slice(inference.length) : undefined;
}
