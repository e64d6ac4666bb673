/** agents.update.envelope-required: bodies without metadata and spec, or without the name. */
import * as fc from 'fast-check';
import type { Run } from '../engine/conforms.ts';
import { errorBody } from '../expect/error-body.ts';
import { status } from '../expect/status.ts';
import { withRefusedUpdates } from '../kit/agents/each-update-refused.ts';
import { bodyOf, refusedMetadata, refusedSpec, sendUpdate } from '../kit/agents/test-agent.ts';
import type { AgentBody } from '../kit/agents/test-agent.ts';
import { eachTestAgent } from '../kit/agents/test-agents.ts';

export async function checkEnvelope(run: Run): Promise<void> {
  const forms = Object.keys(withoutEnvelope);
  await withRefusedUpdates(run, await eachTestAgent(run), {}, async ({ check }) => {
    await check({
      inputs: { form: fc.constantFrom(...forms) },
      runs: 0,
      examples: forms.map((form) => ({ form })),
      async refusal(testAgent, { form }, variant) {
        const body = withoutEnvelope[form]!(bodyOf(run, testAgent, refusedSpec(run), refusedMetadata(run)));
        const exchange = await sendUpdate(run, testAgent, body, variant);
        return exchange.response.status === 400 ? errorBody(exchange) : status(exchange, 400);
      },
    });
  });
}

const nonObjects = [null, [], 'text', 5, true];

/** Bodies without metadata and spec as objects, or without the name, made of the valid body. */
const withoutEnvelope: Readonly<Record<string, (valid: AgentBody) => unknown>> = {
  'no spec': ({ metadata }) => ({ metadata }),
  'no metadata': ({ spec }) => ({ spec }),
  'nothing in it': () => ({}),
  'a list of the agent': (valid) => [valid],
  'the agent as text': (valid) => JSON.stringify(valid),
  'the agent in a member': (agent) => ({ agent }),
  'the members of metadata beside spec': ({ metadata, spec }) => ({ ...metadata, spec }),
  'metadata in spec': ({ metadata, spec }) => ({ spec: { ...spec, metadata } }),
  'spec in metadata': ({ metadata, spec }) => ({ metadata: { ...metadata, spec } }),
  'status and events instead of spec': ({ metadata }) => ({ metadata, status: 'DEPLOYED', events: [] }),
  'a list of member names': () => ['metadata', 'spec'],
  ...Object.fromEntries(
    nonObjects.flatMap((other) => [
      [`spec: ${JSON.stringify(other)}`, ({ metadata }: AgentBody) => ({ metadata, spec: other })],
      [`metadata: ${JSON.stringify(other)}`, ({ spec }: AgentBody) => ({ metadata: other, spec })],
    ]),
  ),
  ...Object.fromEntries(nonObjects.map((other) => [`only ${JSON.stringify(other)}`, () => other])),
  'no name': ({ metadata, spec }) => ({ metadata: { ...metadata, name: undefined }, spec }),
};
