/** agents.update.policies-sent-only: an agent has no policy that it did not have before and that no update sent. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { isReadable, needAccepted, put, readAgent, withEachTestAgent } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';

/** Of the target file, or the first ones of the inferred list. Empty if the target has neither. */
export async function policyNames(run: Run): Promise<readonly string[]> {
  const { policies } = run.target.resources;
  if (policies !== undefined) return policies;
  const { json } = (await run.client.call('listPolicies')).response;
  if (!Array.isArray(json)) return [];
  const names = json.map((policy) => metadataIn(policy)['name']);
  return names.filter((name) => typeof name === 'string').slice(0, 3);
}

/** Updates without policies, or with an empty list. */
const specs: readonly Spec[] = [
  { triggers: [{ type: 'http', configuration: { path: '/assay/policies' } }] },
  { runtime: { envs: [{ name: 'ASSAY_POLICIES', value: 'none' }] } },
  { policies: [] },
  { enabled: true },
];

export async function checkPolicies(run: Run): Promise<void> {
  await withEachTestAgent(run, async (testAgent) => {
    const first = await needAccepted(run, testAgent, {}, 'a valid update');
    const known = [...policiesIn(first)];
    await checkWithoutPolicies(run, testAgent, known, first);
    for (const policy of await policyNames(run)) {
      const update = await put(run, testAgent, { policies: [policy] });
      if (!isSuccessful(update)) continue;
      known.push(policy);
      await checkWithoutPolicies(run, testAgent, known, update);
    }
  });
}

async function checkWithoutPolicies(
  run: Run,
  testAgent: TestAgent,
  known: readonly unknown[],
  before: Exchange,
): Promise<void> {
  const readable = await isReadable(run, testAgent);
  for (const spec of specs) {
    run.check(newPolicies(known, await put(run, testAgent, spec), before));
    if (readable) run.check(newPolicies(known, await readAgent(run, testAgent), before));
  }
}

function newPolicies(known: readonly unknown[], exchange: Exchange, first: Exchange): Mismatch[] {
  if (!isSuccessful(exchange)) return [];
  const unsent = policiesIn(exchange).filter((policy) => !known.includes(policy));
  const expected = known.length === 0 ? 'no policies' : `no policies but ${JSON.stringify(known)}`;
  return unsent.map((policy) => ({ expected, actual: JSON.stringify(policy), exchange, before: [first] }));
}

function policiesIn({ response: { json } }: Exchange): readonly unknown[] {
  const policies = fieldsOf(fieldsOf(json)?.['spec'])?.['policies'];
  return Array.isArray(policies) ? policies : [];
}
