/** resources.url.*: the URL of a workload. */
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { eventually } from '../target/eventually.ts';
import { isOmitted } from '../json/fields.ts';
import { generations } from '../kit/provision/agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { agentWrites, readBack, performWrite } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';
import { agentUpdates, resourceResponses } from './resource-responses.ts';
import { metadataOf, mismatch, returnedResource, formatValue } from '../kit/resources/returned-resource.ts';

const workloads = new Set<string | undefined>(['updateAgent', 'createFunction']);

conforms('resources.url.present-on-workloads', async (run) => {
  const responses = (await resourceResponses(run)).filter(({ operation }) => workloads.has(operation));
  const judged = responses.filter((each) => isJudged(each) || (each.operation === 'updateAgent' && isDeployed(each)));
  for (const generation of generations) {
    const { exchanges } = await agentUpdates(run, generation);
    if (!exchanges.some(isJudged)) judged.push(...(await onceDeployed(run, generation)));
  }
  run.need(judged.length > 0, 'a deployed agent, or a response with a url');
  run.check(...judged.map(withoutUrl));
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
  const { exchange, input, read } = await performWrite(run, write, {});
  if (read === undefined) return [];
  const look = async () => (await readBack(run, write.id, input)) ?? exchange;
  const shows = (returned: Exchange): boolean => isDeployed(returned) && isJudged(returned);
  return [await eventually(look, shows, run.patienceSeconds)].filter(isDeployed);
}

function withoutUrl(exchange: Exchange): Mismatch[] {
  const returned = returnedResource(exchange);
  const url = urlIn(exchange);
  const isAbsolute = typeof url === 'string' && /^https?:\/\/./i.test(url) && URL.canParse(url);
  if (returned === undefined || isAbsolute) return [];
  return [mismatch(returned, 'metadata.url: an absolute URL', `metadata.url: ${formatValue(url)}`)];
}
