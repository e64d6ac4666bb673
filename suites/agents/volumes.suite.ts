/** agents.volumes.*: requirements for attaching a volume. */
import * as fc from 'fast-check';
import { limits } from '../../spec/values.ts';
import { conforms } from '../engine/conforms.ts';
import { refuses } from '../judge/judgement.ts';
import { sentVolumes, specIn } from '../kit/agents/seen-update.ts';
import { isAboutSomethingElse } from '../kit/resources/seen-resource.ts';
import { isOmitted } from '../json/fields.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { reasonIfNotTried, undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { everyPairOfThree } from '../kit/every-pair-of-three.ts';
import { withRefusedUpdates } from '../kit/agents/each-update-refused.ts';
import { put, refusedMetadata, refusedSpec } from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { eachTestAgent } from '../kit/agents/test-agents.ts';
import { attachableVolumes, specWithVolumes } from './volumes.ts';
import type { Attachment, Volumes } from './volumes.ts';

interface AgentWithVolumes {
  readonly testAgent: TestAgent;
  readonly volumes: Volumes;
}

/** Every agent that accepts a volume. Throws NotTried if none does, with the reasons. */
async function agentsWithVolumes(run: Run): Promise<readonly AgentWithVolumes[]> {
  const found: AgentWithVolumes[] = [];
  const reasons = new Set<string>();
  for (const testAgent of await eachTestAgent(run)) {
    const volumes = await reasonIfNotTried(attachableVolumes(run, testAgent));
    if (typeof volumes === 'string') reasons.add(volumes);
    else found.push({ testAgent, volumes });
  }
  run.need(found.length, [...reasons].join('; '));
  return found;
}

const volumesOf = (all: readonly AgentWithVolumes[], { name }: TestAgent): Volumes =>
  all.find(({ testAgent }) => testAgent.name === name)!.volumes;

refuses('agents.volumes.region-required', 'updateAgent', {
  isFlawed: (seen) => {
    const { region } = specIn(seen.sent);
    return sentVolumes(seen).length > 0 && (isOmitted(region) || region === '');
  },
  status: 400,
  unless: isAboutSomethingElse,
});

conforms('agents.volumes.region-required', async (run) => {
  const all = await agentsWithVolumes(run);
  const agents = all.map(({ testAgent }) => testAgent);
  const lists = ['all', 'one', 'read-only'] as const;
  await withRefusedUpdates(run, agents, {}, async ({ check }) => {
    const specs = ['nothing else', 'other changes', 'a variable', 'public'] as const;
    await check({
      inputs: {
        region: fc.constantFrom(...missingRegions),
        list: fc.constantFrom(...lists),
        further: fc.constantFrom(...specs),
      },
      runs: 0,
      examples: everyPairOfThree(specs, missingRegions, lists).map(([further, region, list]) => ({
        region,
        list,
        further,
      })),
      isInvalid: (testAgent, { further }) => validOtherSpecs(run, testAgent)[further] !== undefined,
      async refusal(testAgent, { region, list, further }, variant) {
        const spec = { ...validOtherSpecs(run, testAgent)[further], ...region };
        const volumes = volumeList(volumesOf(all, testAgent), list);
        return status(await put(run, testAgent, { ...spec, volumes }, refusedMetadata(run), variant), 400);
      },
    });
  });
  // The region is also required if the agent already has a region and these volumes (decision 040).
  for (const { testAgent, volumes } of all)
    await withRefusedUpdates(run, [testAgent], { baseline: specWithVolumes(volumes) }, async ({ check }) => {
      await check({
        inputs: { region: fc.constantFrom(...missingRegions) },
        runs: 0,
        examples: missingRegions.map((region) => ({ region })),
        async refusal(_, { region }, variant) {
          const spec = { ...region, volumes: specWithVolumes(volumes).volumes };
          return status(await put(run, testAgent, spec, refusedMetadata(run), variant), 400);
        },
      });
    });
});

/** An empty region and null are also refused. */
const missingRegions: readonly { readonly region?: string | null }[] = [{}, { region: '' }, { region: null }];

function volumeList(volumes: Volumes, list: 'all' | 'one' | 'read-only'): readonly Attachment[] {
  const { volumes: all } = specWithVolumes(volumes);
  if (list === 'all') return all;
  return list === 'one' ? all.slice(-1) : all.map((each) => ({ ...each, readOnly: true }));
}

refuses('agents.volumes.mount-path-absolute', 'updateAgent', {
  isFlawed: (seen) =>
    sentVolumes(seen).some(({ mountPath }) => typeof mountPath === 'string' && /^[^/]/.test(mountPath.trimStart())),
  status: 400,
  unless: isAboutSomethingElse,
});

conforms('agents.volumes.mount-path-absolute', async (run) => {
  const all = await agentsWithVolumes(run);
  const agents = all.map(({ testAgent }) => testAgent);
  await withRefusedUpdates(run, agents, {}, async ({ check }) => {
    await check({
      inputs: { mountPath: relativePath, at: fc.nat({ max: 2 }), readOnly: fc.boolean(), otherSpec: eitherSpec(run) },
      examples: relativePaths.map((mountPath, index) => ({
        mountPath,
        at: index % 3,
        readOnly: index % 2 === 0,
        otherSpec: {},
      })),
      async refusal(testAgent, { mountPath, at, readOnly, otherSpec }, variant) {
        const volumes = volumesOf(all, testAgent);
        const changed = withAttachment(volumes, at % volumes.names.length, { mountPath, readOnly });
        const spec = { ...otherSpec, ...changed };
        return status(await put(run, testAgent, spec, refusedMetadata(run), variant), 400);
      },
    });
  });
});

/** Further fields of an update that must be refused. */
const eitherSpec = (run: Run): fc.Arbitrary<Spec> => fc.constantFrom<Spec[]>({}, refusedSpec(run));

/** Without leading spaces, which may be trimmed, and without '', which may mean none. */
const relativePaths = [
  ...'data data/ data/a ./data ../data . .. ./ ../ ~ ~/data ~root/data $HOME/data - a//b'.split(' '),
  ...'C:/data C:\\data \\data \\\\host\\data file:///data data:/data %2Fdata data\\/a *'.split(' '),
];
const relativePath = fc
  .array(fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));

/** No volume can have such a name, so none exists. Whether another one exists cannot be seen. */
const isImpossibleName = (name: unknown): boolean =>
  typeof name === 'string' && name !== '' && (/[^a-z0-9-]/.test(name) || name.length > limits.nameLength);

refuses('agents.volumes.must-exist-in-region', 'updateAgent', {
  isFlawed: (seen) => sentVolumes(seen).some(({ name }) => isImpossibleName(name)),
  status: 400,
  unless: isAboutSomethingElse,
});

conforms('agents.volumes.must-exist-in-region', async (run) => {
  const agents = await eachTestAgent(run);
  const known = new Map<TestAgent, Volumes>();
  for (const testAgent of agents) {
    const volumes = await undefinedIfNotTried(attachableVolumes(run, testAgent));
    if (volumes !== undefined) known.set(testAgent, volumes);
  }
  await withRefusedUpdates(run, agents, {}, async ({ check }) => {
    const name = fc.stringMatching(/^[a-z0-9]{4,10}$/).map((word) => `${run.prefix}none-${word}`);
    const specs = ['nothing else', 'other changes', 'a variable', 'public'] as const;
    await check({
      inputs: {
        name,
        readOnly: fc.boolean(),
        at: fc.nat({ max: 2 }),
        isAmongOthers: fc.boolean(),
        further: fc.constantFrom(...specs),
      },
      examples: [true, false].flatMap((isAmongOthers) =>
        specs.map((further, at) => ({
          name: `${run.prefix}none-${at}`,
          readOnly: at % 2 === 0,
          at: at % 3,
          isAmongOthers,
          further,
        })),
      ),
      isInvalid: (testAgent, { further, isAmongOthers }) =>
        validOtherSpecs(run, testAgent)[further] !== undefined && (!isAmongOthers || known.has(testAgent)),
      async refusal(testAgent, { further, isAmongOthers, ...unknown }, variant) {
        const { name: volume, readOnly } = unknown;
        const volumes = known.get(testAgent);
        const region = volumes?.region ?? 'assay-region';
        const alone = { region, volumes: [{ mountPath: '/mnt/assay', readOnly, name: volume }] };
        const spec = isAmongOthers && volumes !== undefined ? withUnknownVolume(volumes, unknown) : alone;
        const body = { ...validOtherSpecs(run, testAgent)[further], ...spec };
        return status(await put(run, testAgent, body, refusedMetadata(run), variant), 400);
      },
    });
    if (known.size === 0) return;
    await check({
      inputs: { wrong: fc.constantFrom(...wrongTexts), at: fc.nat({ max: 2 }) },
      runs: 0,
      examples: [0, 1].flatMap((pass) => wrongTexts.map((wrong, index) => ({ wrong, at: (index + pass) % 3 }))),
      isInvalid: (testAgent) => known.has(testAgent),
      async refusal(testAgent, { wrong, at }, variant) {
        const spec = await withWrongText(run, known.get(testAgent)!, wrong, at);
        return spec === undefined ? [] : status(await put(run, testAgent, spec, refusedMetadata(run), variant), 400);
      },
    });
  });
});

/** Valid further fields. An agent that others use is never made public. */
const validOtherSpecs = (
  run: Run,
  { name, generation }: TestAgent,
): Readonly<Record<'nothing else' | 'other changes' | 'a variable', Spec>> & { readonly public?: Spec } => ({
  'nothing else': {},
  'other changes': refusedSpec(run),
  'a variable': { runtime: { envs: [{ name: 'ASSAY', value: 'text' }] } },
  ...(generation === 'mk3' && name.startsWith(run.prefix) && { public: { public: true } }),
});

/** An unknown volume in place of one of several, or before or after the only one. */
function withUnknownVolume(
  volumes: Volumes,
  { at, name, readOnly }: { at: number; name: string; readOnly: boolean },
): Spec {
  if (volumes.names.length > 1) return withAttachment(volumes, at % volumes.names.length, { name, readOnly });
  const { region, volumes: list } = specWithVolumes(volumes);
  const unknown = { name, mountPath: '/mnt/assay-unknown', readOnly };
  return { region, volumes: at === 0 ? [unknown, ...list] : [...list, unknown] };
}

/** Another region of existing volumes, or a name similar to theirs. */
const wrongTexts = [
  'region: another',
  'name: longer',
  'region: longer',
  'name: shorter',
  'region: shorter',
  'name: longer at the beginning',
  'region: longer at the beginning',
  'name: with a path',
  'name: in upper case',
] as const;

/** Undefined if the text would be a valid one. */
async function withWrongText(
  run: Run,
  volumes: Volumes,
  wrong: (typeof wrongTexts)[number],
  place: number,
): Promise<Spec | undefined> {
  const at = place % volumes.names.length;
  const [field, how] = wrong.split(': ') as [string, string];
  const isRegion = field === 'region';
  const text = isRegion ? volumes.region : volumes.names[at]!;
  if (how === 'shorter' && text.length < 2) return undefined;
  if (how === 'shorter' && !isRegion && !(await isUnusedPrefix(run, volumes, text))) return undefined;
  const suffix = run.newName();
  const others: Readonly<Record<string, string>> = {
    another: suffix,
    longer: `${text}-${isRegion ? 'x' : suffix}`,
    shorter: text.slice(0, -1),
    'longer at the beginning': isRegion ? `x${text}` : `${suffix}-${text}`,
    'with a path': `${text}/${suffix}`,
    'in upper case': text.toUpperCase(),
  };
  const other = others[how]!;
  if (other === text) return undefined;
  if (!isRegion) return withAttachment(volumes, at, { name: other });
  const { volumes: all } = specWithVolumes(volumes);
  return { region: other, volumes: at === 0 ? all : all.slice(at, at + 1) };
}

/**
 * Whether no volume has the name without its last character, according to the inferred read if it finds the full
 * name.
 */
async function isUnusedPrefix(run: Run, { names }: Volumes, name: string): Promise<boolean> {
  const exists = async (volumeName: string): Promise<boolean> =>
    isSuccessful(await run.client.call('getVolume', { path: { volumeName } }));
  const shortened = name.slice(0, -1);
  if (names.includes(shortened) || (await exists(shortened))) return false;
  return name.startsWith(run.prefix) || exists(name);
}

function withAttachment(volumes: Volumes, at: number, changes: Partial<Attachment>): Spec {
  const { region, volumes: list } = specWithVolumes(volumes);
  return {
    region,
    volumes: list.map((each, index) => (index === at ? { ...each, ...definedMembers(changes) } : each)),
  };
}

function definedMembers({ name, mountPath, readOnly }: Partial<Attachment>): Partial<Attachment> {
  return {
    ...(name !== undefined && { name }),
    ...(mountPath !== undefined && { mountPath }),
    ...(readOnly !== undefined && { readOnly }),
  };
}
