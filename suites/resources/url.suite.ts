/** resources.url.*: where a workload is reached. */
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { eventually } from '../target/eventually.ts';
import { isLeftOut } from '../json/fields.ts';
import { generations } from '../kit/provision/agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { agentWrites, readBack, performWrite } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';
import { agentUpdates, resourceAnswers } from './answers.ts';
import { metadataOf, mismatch, shownIn, told } from '../kit/resources/shown.ts';

const workloads = new Set<string | undefined>(['updateAgent', 'createFunction']);

conforms('resources.url.present-on-workloads', async (run) => {
  const answers = (await resourceAnswers(run)).filter(({ operation }) => workloads.has(operation));
  const judged = answers.filter((each) => isJudged(each) || (each.operation === 'updateAgent' && isDeployed(each)));
  for (const generation of generations) {
    const { exchanges } = await agentUpdates(run, generation);
    if (!exchanges.some(isJudged)) judged.push(...(await onceDeployed(run, generation)));
  }
  run.need(judged.length > 0, 'an agent that is deployed, or an answer that shows a url');
  run.check(...judged.map(withoutUrl));
});

const urlIn = (exchange: Exchange): unknown => {
  const shown = shownIn(exchange);
  return shown && metadataOf(shown)['url'];
};

/** What is not deployed yet may have no URL yet; one that is shown is a URL. */
const isJudged = (exchange: Exchange): boolean => !isLeftOut(urlIn(exchange));
const isDeployed = (exchange: Exchange): boolean => shownIn(exchange)?.resource['status'] === 'DEPLOYED';

/** What an agent shows after an update that enables it, where it can be read and its deployment comes through. */
async function onceDeployed(run: Run, generation: Generation): Promise<Exchange[]> {
  const [write] = await agentWrites(run, generation);
  if (write === undefined) return [];
  const { exchange, input, read } = await performWrite(run, write, {});
  if (read === undefined) return [];
  const look = async () => (await readBack(run, write.id, input)) ?? exchange;
  const shows = (shown: Exchange): boolean => isDeployed(shown) && isJudged(shown);
  return [await eventually(look, shows, run.patienceSeconds)].filter(isDeployed);
}

function withoutUrl(exchange: Exchange): Mismatch[] {
  const shown = shownIn(exchange);
  const url = urlIn(exchange);
  const isAbsolute = typeof url === 'string' && /^https?:\/\/./i.test(url) && URL.canParse(url);
  if (shown === undefined || isAbsolute) return [];
  return [mismatch(shown, 'metadata.url: an absolute URL', `metadata.url: ${told(url)}`)];
}
