/** naming.texts.*: texts that a server may refuse, but not change. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { fieldsOf, isOmitted } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { put, withTestAgent } from '../kit/agents/test-agent.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { firstWrite, isRepeatable, performWrite, writes } from '../kit/provision/writes.ts';
import type { Write } from '../kit/provision/writes.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';

const LABEL = 'assay';
const VARIABLE = 'ASSAY_SPACES';
const texts = ['two  spaces', 'a   b    c', '(  in brackets  )'];

conforms('naming.texts.repeated-spaces-unchanged', async (run) => {
  let accepted = 0;
  const judge = (exchange: Exchange, find: (body: unknown) => unknown, text: string): void => {
    if (!isSuccessful(exchange)) return;
    accepted += 1;
    run.check(changedText(exchange, find(exchange.response.json), text));
  };
  for (const write of await writes(run)) {
    await firstWrite(run, write); // Afterwards it is known whether the run can remove what it creates.
    for (const text of isRepeatable(run, write) ? texts : []) {
      for (const exchange of await results(run, write, { displayName: text })) judge(exchange, displayNameIn, text);
      for (const exchange of await results(run, write, { labels: { [LABEL]: text } })) judge(exchange, labelIn, text);
    }
  }
  const updates = withTestAgent(run, 'mk2', async (testAgent) => {
    for (const text of texts) {
      const exchange = await put(run, testAgent, { runtime: { envs: [{ name: VARIABLE, value: text }] } });
      judge(exchange, variableIn, text);
    }
  });
  await undefinedIfNotTried(updates);
  run.need(accepted > 0, 'a text with repeated spaces that is accepted');
});

/** The response, and the read of what was created. Reads of an agent may be stale. */
async function results(run: Run, write: Write, metadata: object): Promise<Exchange[]> {
  const { exchange, read } = await performWrite(run, write, { name: run.newName(), ...metadata });
  return read === undefined || write.agent !== undefined ? [exchange] : [exchange, read];
}

const displayNameIn = (body: unknown): unknown => metadataIn(body)['displayName'];
const labelIn = (body: unknown): unknown => fieldsOf(metadataIn(body)['labels'])?.[LABEL];

function variableIn(body: unknown): unknown {
  const envs = fieldsOf(fieldsOf(fieldsOf(body)?.['spec'])?.['runtime'])?.['envs'];
  return Array.isArray(envs) ? envs.map(fieldsOf).find((env) => env?.['name'] === VARIABLE)?.['value'] : undefined;
}

/** A text that is not returned is not judged here. */
function changedText(exchange: Exchange, returned: unknown, text: string): Mismatch[] {
  if (isOmitted(returned) || returned === text) return [];
  return [{ expected: JSON.stringify(text), actual: JSON.stringify(returned), exchange }];
}
