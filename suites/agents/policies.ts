/** agents.update.policies-sent-only: an agent has no policy that it did not have before and that no update sent. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { fieldsOf } from '../json/fields.ts';
import { isReadable, needAccepted, put, readAgent, withEachTestAgent } from '../kit/agents/test-agent.ts';
import type { Spec } from '../kit/agents/test-agent.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';

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
    const known = policiesIn(first);
    const readable = await isReadable(run, testAgent);
    for (const spec of specs) {
      run.check(newPolicies(known, await put(run, testAgent, spec), first));
      if (readable) run.check(newPolicies(known, await readAgent(run, testAgent), first));
    }
  });
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
