/** agents.triggers.ids-distinct: the ids of returned triggers. */
import { counted } from '../../spec/counted.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import type { Judged } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { isAcceptedUpdate, sentTriggers } from '../kit/agents/seen-update.ts';
import { put } from '../kit/agents/test-agent.ts';
import type { TestAgent } from '../kit/agents/test-agent.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/client.ts';
import { triggersIn } from './triggers.ts';

/** How many triggers are returned is judged by agents.update.round-trip. */
export function judgeIds(seen: Seen, facts: Facts): Judged {
  if (!isAcceptedUpdate(seen, facts)) return undefined;
  const { length } = triggersIn(seen.exchange);
  const emptyCount = sentTriggers(seen).filter(({ id }) => id === '').length;
  return length === 0 ? undefined : distinctIds(seen.exchange, length, emptyCount > 0 ? 1 : 0);
}

/**
 * `maxMissing`: how many ids may be missing or empty. A response may omit an empty string (decision 039), and have triggers
 * that the server has added.
 */
export function distinctIds(exchange: Exchange, sent: number, maxMissing: number): Mismatch[] {
  const triggers = triggersIn(exchange);
  const ids = triggers.map(({ id }) => id);
  const missing = ids.filter((id) => typeof id !== 'string' || id === '').length;
  const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...(ids.length >= sent
      ? []
      : [{ expected: counted(sent, 'trigger'), actual: counted(ids.length, 'trigger'), exchange }]),
    ...(missing <= maxMissing ? [] : [{ expected: 'an id in every trigger', actual: `none in ${missing}`, exchange }]),
    ...(repeated.length === 0
      ? []
      : [{ expected: 'ids all distinct', actual: `twice: ${repeated.join(', ')}`, exchange }]),
  ];
}

/** The ids that the server has generated for two triggers, each sent back for the other trigger, next to one without an id. */
export async function generatedIdMismatches(
  run: Run,
  testAgent: TestAgent,
  [first, second]: readonly [first: object, second: object],
): Promise<Mismatch[]> {
  const generated = await put(run, testAgent, { triggers: [first, second] });
  const [firstId, secondId] = triggersIn(generated).map(({ id }) => id);
  if (!isSuccessful(generated) || typeof firstId !== 'string' || typeof secondId !== 'string') return [];
  const found: Mismatch[] = [];
  for (const triggers of [
    [first, { ...second, id: firstId }],
    [{ ...first, id: secondId }, second],
  ]) {
    const exchange = await put(run, testAgent, { triggers });
    if (isSuccessful(exchange)) found.push(...distinctIds(exchange, triggers.length, 0));
  }
  return found.map((each) => ({ ...each, before: [generated] }));
}
