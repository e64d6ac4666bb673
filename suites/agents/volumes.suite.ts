/** agents.volumes.*: requirements for attaching a volume. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { rotateVariants, variantAt } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import {
  sendBaseline,
  put,
  refusedMetadata,
  refusedSpec,
  checkUnchanged,
  acceptedUpdateVariants,
  withEachTestAgent,
} from '../kit/agents/test-agent.ts';
import type { Spec, TestAgent } from '../kit/agents/test-agent.ts';
import { attachableVolumes, specWithVolumes } from './volumes.ts';
import type { Attachment, Volumes } from './volumes.ts';

/**
 * Runs `use` with every agent that accepts a volume; throws NotTried if none does. `baselineSpec`: the agent's state
 * meanwhile.
 */
async function withVolumes(
  run: Run,
  use: (testAgent: TestAgent, volumes: Volumes, variants: readonly CallerVariant[]) => Promise<void>,
  baselineSpec: (volumes: Volumes) => Spec = () => ({}),
): Promise<void> {
  let tried = false;
  await withEachTestAgent(run, async (testAgent) => {
    const volumes = await undefinedIfNotTried(attachableVolumes(run, testAgent));
    if (volumes === undefined) return;
    tried = true;
    const variants = await acceptedUpdateVariants(run, testAgent);
    const before = await sendBaseline(run, testAgent, baselineSpec(volumes));
    await use(testAgent, volumes, variants);
    run.check(await checkUnchanged(run, before));
  });
  run.need(tried, 'an agent that accepts the volume of the target');
}

conforms('agents.volumes.region-required', async (run) => {
  await withVolumes(run, async (testAgent, volumes, variants) => {
    const { volumes: all } = specWithVolumes(volumes);
    const lists = [all, ...all.map((each) => [each]), all.map((each) => ({ ...each, readOnly: true }))];
    let requestIndex = run.seed;
    for (const spec of validOtherSpecs(run, testAgent)) {
      for (const list of lists) {
        for (const region of missingRegions) {
          const variant = variantAt(variants, requestIndex++);
          run.check(
            status(await put(run, testAgent, { ...spec, ...region, volumes: list }, refusedMetadata, variant), 400),
          );
        }
      }
    }
  });
  await withVolumes(run, (testAgent, volumes) => checkRegionStillRequired(run, testAgent, volumes), specWithVolumes);
});

/** An empty region and null are also refused. */
const missingRegions = [{}, { region: '' }, { region: null }];

/** The region is also required if the agent already has a region and these volumes (decision 040). */
async function checkRegionStillRequired(run: Run, testAgent: TestAgent, volumes: Volumes): Promise<void> {
  const { volumes: list } = specWithVolumes(volumes);
  for (const region of missingRegions)
    run.check(status(await put(run, testAgent, { ...region, volumes: list }, refusedMetadata), 400));
}

conforms('agents.volumes.mount-path-absolute', async (run) => {
  await withVolumes(run, async (testAgent, volumes, variants) => {
    await run.forAll(
      {
        mountPath: relativePath,
        at: fc.nat({ max: volumes.names.length - 1 }),
        readOnly: fc.boolean(),
        otherSpec: eitherSpec,
        variant: fc.constantFrom(...variants),
      },
      async ({ mountPath, at, readOnly, otherSpec: more, variant }) => {
        const spec = { ...more, ...withAttachment(volumes, at, { mountPath, readOnly }) };
        return status(await put(run, testAgent, spec, refusedMetadata, variant), 400);
      },
      {
        runs: scaleRuns(run, 60),
        examples: rotateVariants(
          variants,
          relativePaths.map((mountPath, index) => ({
            mountPath,
            at: index % volumes.names.length,
            readOnly: index % 2 === 0,
            otherSpec: {},
          })),
        ),
      },
    );
  });
});

/** Further fields of an update that must be refused. */
const eitherSpec = fc.constantFrom<Spec[]>({}, refusedSpec);

/** Without leading spaces, which may be trimmed, and without '', which may mean none. */
const relativePaths = [
  ...'data data/ data/a ./data ../data . .. ./ ../ ~ ~/data ~root/data $HOME/data - a//b'.split(' '),
  ...'C:/data C:\\data \\data \\\\host\\data file:///data data:/data %2Fdata data\\/a *'.split(' '),
];
const relativePath = fc
  .array(fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));

conforms('agents.volumes.must-exist-in-region', async (run) => {
  await withEachTestAgent(run, async (testAgent) => {
    const volumes = await undefinedIfNotTried(attachableVolumes(run, testAgent));
    const variants = await acceptedUpdateVariants(run, testAgent);
    const before = await sendBaseline(run, testAgent);
    const name = fc.stringMatching(/^[a-z0-9]{4,10}$/).map((word) => `${run.prefix}none-${word}`);
    const region = volumes?.region ?? 'assay-region';
    const attachment = { mountPath: '/mnt/assay', readOnly: false };
    const otherSpecs = validOtherSpecs(run, testAgent);
    const otherSpec = fc.constantFrom(...otherSpecs);
    await run.forAll(
      { name, readOnly: fc.boolean(), at: fc.nat({ max: 2 }), otherSpec, variant: fc.constantFrom(...variants) },
      async ({ variant, otherSpec: others, ...unknown }) => {
        const single = { region, volumes: [{ ...attachment, name: unknown.name, readOnly: unknown.readOnly }] };
        const mixed = volumes && withUnknownVolume(volumes, unknown);
        const exchanges = [];
        for (const spec of [single, ...(mixed === undefined ? [] : [mixed])]) {
          exchanges.push(await put(run, testAgent, { ...others, ...spec }, refusedMetadata, variant));
        }
        return exchanges.flatMap((exchange) => status(exchange, 400));
      },
      {
        runs: scaleRuns(run, 40),
        examples: rotateVariants(
          variants,
          otherSpecs.map((spec, at) => ({
            name: `${run.prefix}none-${at}`,
            readOnly: at % 2 === 0,
            at: at % 3,
            otherSpec: spec,
          })),
        ),
      },
    );
    if (volumes !== undefined) await checkOtherRegionsAndNames(run, testAgent, volumes);
    run.check(await checkUnchanged(run, before));
  });
});

/** Valid further fields. An agent that others use is never made public. */
const validOtherSpecs = (run: Run, { name, generation }: TestAgent): Spec[] => [
  {},
  refusedSpec,
  { runtime: { envs: [{ name: 'ASSAY', value: 'text' }] } },
  ...(generation === 'mk3' && name.startsWith(run.prefix) ? [{ public: true }] : []),
];

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

/** Existing volumes in another region, and names similar to theirs. */
async function checkOtherRegionsAndNames(run: Run, testAgent: TestAgent, volumes: Volumes): Promise<void> {
  const all = specWithVolumes(volumes);
  const suffix = run.newName();
  for (const region of [`${volumes.region}-x`, `x${volumes.region}`, suffix, ...withoutLastCharacter(volumes.region)]) {
    for (const list of [all.volumes, ...all.volumes.map((each) => [each])]) {
      run.check(status(await put(run, testAgent, { region, volumes: list }, refusedMetadata), 400));
    }
  }
  for (const [at, name] of volumes.names.entries()) {
    const shortenedNames = (await isUnusedPrefix(run, volumes, name)) ? withoutLastCharacter(name) : [];
    const others = [
      `${name}-${suffix}`,
      `${suffix}-${name}`,
      `${name}/${suffix}`,
      name.toUpperCase(),
      ...shortenedNames,
    ];
    for (const other of others.filter((each) => each !== name)) {
      run.check(status(await put(run, testAgent, withAttachment(volumes, at, { name: other }), refusedMetadata), 400));
    }
  }
}

/** Without its last character; empty if nothing remains. */
const withoutLastCharacter = (text: string): string[] => (text.length > 1 ? [text.slice(0, -1)] : []);

/**
 * Whether no volume has the name without its last character, according to the inferred read if it finds the full
 * name.
 */
async function isUnusedPrefix(run: Run, { names }: Volumes, name: string): Promise<boolean> {
  const exists = async (volumeName: string): Promise<boolean> =>
    isSuccessful(await run.client.call('getVolume', { path: { volumeName } }));
  const [shortened] = withoutLastCharacter(name);
  if (shortened === undefined || names.includes(shortened) || (await exists(shortened))) return false;
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
