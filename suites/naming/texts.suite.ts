/** naming.texts.*: texts that a server may refuse, but not change. */
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { failureMismatches } from './failed-write.ts';
import { isOwnText } from './own-text.ts';
import { isConcurrentUpdate, isSuccess, resourceWrites } from '../kit/resources/seen-resource.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { fieldsOf, isFields, isOmitted } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { putValid } from '../kit/agents/test-agent.ts';
import { agentToChange } from '../kit/provision/agents.ts';
import { documentedFirst } from '../kit/resources/returned-resource.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { firstWrite, isRepeatable, performWrite, writes, writeTitle } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';

const acceptedOfRun = sharedValue<{ count: number }>();

const LABEL = 'assay';
const VARIABLE = 'ASSAY_SPACES';
const texts = ['two  spaces', 'a   b    c', '(  in brackets  )'];

judges('naming.texts.repeated-spaces-unchanged', resourceWrites, (seen) => {
  if (!isSuccess(seen) || isConcurrentUpdate(seen)) return undefined;
  const returned = textsIn(seen.json);
  const sent = [...textsIn(seen.sent)].filter(
    ([place, text]) => hasRepeatedSpaces(text) && isOwnText(seen, String(text), returned.get(place)),
  );
  return sent.length === 0
    ? undefined
    : sent.flatMap(([place, text]) => changedText(seen.exchange, returned.get(place), String(text)));
});

const hasRepeatedSpaces = (text: unknown): boolean =>
  typeof text === 'string' && /\S {2,}\S/.test(text) && text === text.trim();

function variablesIn(body: unknown): readonly Fields[] {
  const { envs } = fieldsOf(fieldsOf(fieldsOf(body)?.['spec'])?.['runtime']) ?? {};
  return Array.isArray(envs) ? envs.filter(isFields) : [];
}

/** The displayName, labels and variables, by their place. Variables of the same name are left out. */
function textsIn(body: unknown): ReadonlyMap<string, unknown> {
  const { displayName, labels } = metadataIn(body);
  const variables = variablesIn(body);
  const isSecret = ({ secret }: Fields): boolean => secret === true;
  const isOnce = ({ name }: Fields): boolean => variables.filter((each) => each['name'] === name).length === 1;
  return new Map<string, unknown>([
    ['displayName', displayName],
    ...Object.entries(fieldsOf(labels) ?? {}).map(([key, value]) => [`label ${key}`, value] as const),
    ...variables
      .filter((each) => isOnce(each) && !isSecret(each))
      .map(({ name, value }) => [`variable ${String(name)}`, value] as const),
  ]);
}

conforms('naming.texts.repeated-spaces-unchanged', async (run) => {
  const accepted = await acceptedOfRun.get(run, async () => ({ count: 0 }));
  const judge = (exchange: Exchange, find: (body: unknown) => unknown, text: string): Mismatch[] => {
    if (!isSuccessful(exchange)) return [];
    accepted.count += 1;
    return changedText(exchange, find(exchange.response.json), text);
  };
  const agent = await undefinedIfNotTried(agentToChange(run));
  const all: Write[] = [];
  for (const write of documentedFirst(await writes(run))) {
    await firstWrite(run, write); // Afterwards it is known whether the run can remove what it creates.
    if (isRepeatable(run, write)) all.push(write);
  }
  const byTitle = new Map(all.map((write) => [writeTitle(write), write]));
  const places = [
    ...(agent === undefined ? [] : texts.map(() => 'a variable')),
    ...[...byTitle.keys()].flatMap((title) => [`displayName of ${title}`, `a label of ${title}`]),
  ];
  const items = places.map((place, index) => ({ place, text: texts[(index + run.seed) % texts.length]! }));
  const changes = async ({ place, text }: { place: string; text: string }): Promise<Mismatch[]> => {
    const [field, title = ''] = place.split(' of ', 2);
    if (agent !== undefined && field === 'a variable') {
      const spec = { runtime: { envs: [{ name: VARIABLE, value: text }] } };
      const { body, exchange, missing } = await putValid(run, { name: agent, generation: 'mk2' }, spec);
      // The target may accept only other values.
      const name = variablesIn(body).find(({ value }) => value === text)?.['name'];
      if (!isSuccessful(exchange) || name === undefined)
        return run.skipInput(missing ?? `a variable whose value ${JSON.stringify(text)} is accepted`);
      return judge(
        exchange,
        (returned) => variablesIn(returned).find((each) => each['name'] === name)?.['value'],
        text,
      );
    }
    const write = run.need(byTitle.get(title), title);
    const isLabel = field === 'a label';
    const metadata = isLabel ? { labels: { [LABEL]: text } } : { displayName: text };
    const exchanges = await results(run, write, metadata);
    const failed = await failureMismatches(run, write, metadata, exchanges[0]!);
    if (failed.length > 0) return failed;
    return exchanges.flatMap((exchange) => judge(exchange, isLabel ? labelIn : displayNameIn, text));
  };
  await run.forEach(items, changes);
  // The target may refuse the texts of this round.
  for (const item of items) if (accepted.count === 0) run.check(await changes(item));
  run.need(accepted.count > 0, 'a text with repeated spaces that is accepted');
});

/** The response, and the read of what was created. Reads of an agent may be stale. */
async function results(run: Run, write: Write, metadata: object): Promise<Exchange[]> {
  const { exchange, read } = await performWrite(run, write, { name: run.newName(), ...metadata });
  return read === undefined || write.agent !== undefined ? [exchange] : [exchange, read];
}

const displayNameIn = (body: unknown): unknown => metadataIn(body)['displayName'];
const labelIn = (body: unknown): unknown => fieldsOf(metadataIn(body)['labels'])?.[LABEL];

/** A text that is not returned is not judged here. */
function changedText(exchange: Exchange, returned: unknown, text: string): Mismatch[] {
  if (isOmitted(returned) || returned === text) return [];
  return [{ expected: JSON.stringify(text), actual: JSON.stringify(returned), exchange }];
}
