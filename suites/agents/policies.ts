/** agents.update.policies-sent-only: an agent has no policy that it did not have before and that no update sent. */
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { fieldsOf } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import { isReadable, needAccepted, put, readAgent } from '../kit/agents/test-agent.ts';
import type { Spec } from '../kit/agents/test-agent.ts';
import { rotateAgents, withTestAgents } from '../kit/agents/test-agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import type { Exchange } from '../target/client.ts';
import { isSuccessful } from '../target/eventually.ts';

/** Of the target file, or the first ones of the inferred list. Empty if the target has neither. */
export function policyNames(run: Run): Promise<readonly string[]> {
  const { policies } = run.target.resources;
  return namesOfRun.get(run, async () => policies ?? listedNames(await run.client.call('listPolicies')));
}

const namesOfRun = sharedValue<readonly string[]>();

function listedNames({ response: { json } }: Exchange): readonly string[] {
  if (!Array.isArray(json)) return [];
  const names = json.map((policy) => metadataIn(policy)['name']);
  return names.filter((name) => typeof name === 'string').slice(0, 3);
}

/** Updates without policies, or with an empty list. */
const specs = {
  triggers: { triggers: [{ type: 'http', configuration: { path: '/assay/policies' } }] },
  'an empty list': { policies: [] },
  variables: { runtime: { envs: [{ name: 'ASSAY_POLICIES', value: 'none' }] } },
  enabled: { enabled: true },
} as const satisfies Readonly<Record<string, Spec>>;

export async function checkPolicies(run: Run): Promise<void> {
  const policies = [...(await policyNames(run)), undefined];
  const updates = Object.keys(specs) as (keyof typeof specs)[];
  await withTestAgents(run, async (agents) => {
    /** The policies that each agent had or an update sent. */
    const known = new Map<Generation, unknown[]>();
    const items = rotateAgents(
      agents.all,
      updates.map((update, index) => ({ update, policy: policies[index % policies.length] })),
    );
    await run.forEach(items, async ({ agent, policy, update }) => {
      const testAgent = agents.of(agent);
      const allowed = known.get(agent) ?? [...policiesIn(await needAccepted(run, testAgent, {}, 'a valid update'))];
      known.set(agent, allowed);
      if (policy !== undefined && isSuccessful(await put(run, testAgent, { policies: [policy] }))) allowed.push(policy);
      const exchanges = [await put(run, testAgent, specs[update])];
      if (await isReadable(run, testAgent)) exchanges.push(await readAgent(run, testAgent));
      return exchanges.flatMap((exchange) => newPolicies(allowed, exchange));
    });
  });
}

function newPolicies(known: readonly unknown[], exchange: Exchange): Mismatch[] {
  if (!isSuccessful(exchange)) return [];
  const unsent = policiesIn(exchange).filter((policy) => !known.includes(policy));
  const expected = known.length === 0 ? 'no policies' : `no policies but ${JSON.stringify(known)}`;
  return unsent.map((policy) => ({ expected, actual: JSON.stringify(policy), exchange }));
}

function policiesIn({ response: { json } }: Exchange): readonly unknown[] {
  const policies = fieldsOf(fieldsOf(json)?.['spec'])?.['policies'];
  return Array.isArray(policies) ? policies : [];
}
