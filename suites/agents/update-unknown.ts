/** agents.update.unknown-404: an update never creates an agent. */
import * as fc from 'fast-check';
import type { Scope } from '../../spec/operations.ts';
import { limits } from '../../spec/values.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { eventually, isSettled, isSuccessful } from '../target/eventually.ts';
import { errorBody } from '../expect/error-body.ts';
import { isInvalid, status } from '../expect/status.ts';
import { agentParts } from '../kit/generators/agent-body.ts';
import type { Amounts, Sizes } from '../kit/generators/agent-body.ts';
import { agentToChange } from '../kit/provision/agents.ts';
import type { Generation } from '../kit/provision/agents.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { removeByRequestedName } from '../kit/provision/removal.ts';
import { defaultVariant } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import { updateOfDeleted } from './update-of-deleted.ts';
import { bodyOf, isReadable, needAccepted, put, putValid, acceptedUpdateVariants } from '../kit/agents/test-agent.ts';
import type { TestAgent } from '../kit/agents/test-agent.ts';
import { acceptedAmounts } from './accepted-amounts.ts';
import { http } from './triggers.ts';
import { acceptedSizes } from './accepted-fields.ts';

export async function checkUnknown404(run: Run): Promise<void> {
  const generation = generationAtHand(run);
  const unknownAgent = (word: string): TestAgent => ({ name: `${run.prefix}none-${word}`, generation });
  const first = await put(run, unknownAgent('first'));
  if (isSuccessful(first)) {
    await removeByRequestedName(run, 'createAgent', { body: bodyOf(run, unknownAgent('first')) });
    run.check(unknownMismatches(first));
  }
  const existing: TestAgent = { name: await agentToChange(run, generation), generation };
  // Otherwise 404 may be the response to every update, and 400 to what this one lacks.
  await needAccepted(run, existing, {}, 'an update');
  const { variants, known, ...accepted } = await sizesAndWays(run);
  const unknownSubjects: TestAgent[] = [];
  const longestWord = 'x'.repeat(limits.nameLength - `${run.prefix}none-`.length);
  const parts = agentParts({ generation, mayBePublic: false, fragments: [], ...accepted });
  const mayHaveTrigger = accepted.amounts.triggers > 0 && accepted.amounts.types.includes('http');
  const triggers = mayHaveTrigger ? { triggers: [http('/assay/unknown')] } : {};
  await run.forAll(
    { word: fc.stringMatching(/^[a-z0-9]{1,12}$/), parts, variant: fc.constantFrom(...variants) },
    async ({ word, parts: { metadata, spec }, variant }) => {
      const testAgent = unknownAgent(word);
      unknownSubjects.push(testAgent);
      const update = () => put(run, testAgent, spec, metadata, variant);
      let twoUpdates = [await update(), await update()];
      if (known !== undefined && twoUpdates.some(isInvalid)) {
        // It may validate the body first: the update must be valid for an agent that exists.
        const { exchange, missing } = await putValid(run, known, spec, metadata);
        if (!isSuccessful(exchange)) return run.skipInput(missing ?? 'an agent that accepts a valid update');
        twoUpdates = [await update(), await update()];
      }
      const found = [...twoUpdates.flatMap(unknownMismatches), ...(await absenceMismatches(run, testAgent))];
      if (found.length > 0) await removeByRequestedName(run, 'createAgent', { body: bodyOf(run, testAgent) });
      return found;
    },
    {
      examples: [
        { word: 'x', parts: { metadata: {}, spec: { enabled: false } }, variant: defaultVariant },
        { word: longestWord, parts: { metadata: {}, spec: triggers }, variant: defaultVariant },
      ],
    },
  );
  // An earlier request may take effect only now.
  for (const testAgent of unknownSubjects.slice(0, 2)) run.check(unknownMismatches(await put(run, testAgent)));
  const checks = {
    'a name of the other generation': () => unknownMk3(run),
    'an agent that was deleted': async () => {
      const deleted = await updateOfDeleted(run);
      return deleted === undefined ? [] : unknownMismatches(deleted);
    },
    'with the scope for updates only': () => unknownWithUpdateScope(run, unknownAgent('scoped')),
    'an agent name and -0': () => similarName(run, (name) => `${name}-0`),
    'an agent name and 0': () => similarName(run, (name) => `${name}0`),
    'an agent name without its end': () => similarName(run, (name) => name.slice(0, -1).replace(/-$/, '')),
  };
  await run.forEach(Object.keys(checks) as (keyof typeof checks)[], (what) => checks[what]());
}

/** Empty if the target may not offer the generation. */
async function unknownMk3(run: Run): Promise<Mismatch[]> {
  if (run.target.resources.mk3Agent === undefined) return [];
  const testAgent: TestAgent = { name: `${run.prefix}none-mk3`, generation: 'mk3' };
  const exchange = await put(run, testAgent);
  if (isInvalid(exchange) && !(await isAcceptedByMk3(run))) return [];
  return [...unknownMismatches(exchange), ...(await absenceMismatches(run, testAgent))];
}

/** It may validate the body first. */
async function isAcceptedByMk3(run: Run): Promise<boolean> {
  const name = await undefinedIfNotTried(agentToChange(run, 'mk3'));
  return name !== undefined && isSuccessful(await put(run, { name, generation: 'mk3' }));
}

/** A target may not offer the other generation and may refuse it before it looks for the agent. */
const generationAtHand = ({ target: { resources } }: Run): Generation =>
  resources.agent === undefined && resources.mk3Agent !== undefined ? 'mk3' : 'mk2';

/** Skipped without a token whose only scope is agents:update. */
async function unknownWithUpdateScope(run: Run, testAgent: TestAgent): Promise<Mismatch[]> {
  const scope: Scope = 'agents:update';
  const name = await undefinedIfNotTried(agentToChange(run, testAgent.generation));
  if (name === undefined || run.target.credentials.scoped[scope] === undefined) return [];
  const update = (agent: TestAgent) =>
    run.as({ scoped: scope }).call('updateAgent', { path: { agentName: agent.name }, body: bodyOf(run, agent) });
  if (!isSuccessful(await eventually(() => update({ ...testAgent, name }), isSettled, run.patienceSeconds))) return [];
  return unknownMismatches(await update(testAgent));
}

/** An unused name that a server would confuse with an agent of the run if it compared only a part of the name. */
async function similarName(run: Run, change: (name: string) => string): Promise<Mismatch[]> {
  const name = await undefinedIfNotTried(agentToChange(run));
  // Only names with the run's prefix are certainly unused.
  if (!name?.startsWith(run.prefix) || !(await isReadable(run, { name, generation: 'mk2' }))) return [];
  const testAgent: TestAgent = { name: change(name), generation: 'mk2' };
  if (testAgent.name.length > limits.nameLength || (await absenceMismatches(run, testAgent)).length > 0) return [];
  const found = unknownMismatches(await put(run, testAgent));
  if (found.length > 0) await removeByRequestedName(run, 'createAgent', { body: bodyOf(run, testAgent) });
  return found;
}

/** Sizes, amounts and variants that the target accepts: it may validate the body before it looks for the agent. */
async function sizesAndWays(run: Run): Promise<AcceptedUpdates> {
  const name = await undefinedIfNotTried(agentToChange(run));
  if (name === undefined) return NOTHING_KNOWN;
  const testAgent: TestAgent = { name, generation: 'mk2' };
  const variants = await acceptedUpdateVariants(run, testAgent);
  const found: AcceptedUpdates = { ...NOTHING_KNOWN, known: testAgent, variants };
  found.sizes = await acceptedSizes(run, testAgent);
  found.amounts = await acceptedAmounts(run, testAgent);
  return found;
}

interface AcceptedUpdates {
  sizes: Sizes;
  amounts: Amounts;
  variants: readonly CallerVariant[];
  /** An agent that exists. */
  known?: TestAgent;
}

const NOTHING_KNOWN: AcceptedUpdates = {
  sizes: { memory: [], minScale: [], maxScale: [] },
  amounts: { triggers: 0, types: [], envs: 0 },
  variants: [defaultVariant],
};

const unknownMismatches = (exchange: Exchange): Mismatch[] =>
  exchange.response.status === 404 ? errorBody(exchange) : status(exchange, 404);

/** By the inferred read: any response except a success means that the agent does not exist. */
async function absenceMismatches(run: Run, { name }: TestAgent): Promise<Mismatch[]> {
  const exchange = await run.client.call('getAgent', { path: { agentName: name } });
  const exists = isSuccessful(exchange) && metadataIn(exchange.response.json)['name'] === name;
  return exists ? [{ expected: 'no such agent', actual: 'the agent exists', exchange }] : [];
}
