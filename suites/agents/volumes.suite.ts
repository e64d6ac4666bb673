/** agents.volumes.*: what a volume needs to be attached. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { scaleRuns } from '../engine/for-all.ts';
import { undefinedIfNotTried } from '../kit/provision/undefined-if-not-tried.ts';
import { rotateVariants, variantAt } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { known, put, refused, refusedSpec, stays, waysToUpdate, withEachSubject } from '../kit/agents/subject.ts';
import type { Spec, Subject } from '../kit/agents/subject.ts';
import { attachable, attached } from './volumes.ts';
import type { Attachment, Volumes } from './volumes.ts';

/** With every agent that takes a volume; throws NotTried where none does. `has`: what it has meanwhile. */
async function withVolumes(
  run: Run,
  use: (subject: Subject, volumes: Volumes, ways: readonly CallerVariant[]) => Promise<void>,
  has: (volumes: Volumes) => Spec = () => ({}),
): Promise<void> {
  let tried = false;
  await withEachSubject(run, async (subject) => {
    const volumes = await undefinedIfNotTried(attachable(run, subject));
    if (volumes === undefined) return;
    tried = true;
    const ways = await waysToUpdate(run, subject);
    const before = await known(run, subject, has(volumes));
    await use(subject, volumes, ways);
    run.check(await stays(run, before));
  });
  run.need(tried, 'an agent that takes the volume of the target');
}

conforms('agents.volumes.region-required', async (run) => {
  await withVolumes(run, async (subject, volumes, ways) => {
    const { volumes: all } = attached(volumes);
    const lists = [all, ...all.map((each) => [each]), all.map((each) => ({ ...each, readOnly: true }))];
    let asked = run.seed;
    for (const spec of specsBeside(run, subject)) {
      for (const list of lists) {
        for (const region of noRegions) {
          const way = variantAt(ways, asked++);
          run.check(status(await put(run, subject, { ...spec, ...region, volumes: list }, refused, way), 400));
        }
      }
    }
  });
  await withVolumes(run, (subject, volumes) => needsItAgain(run, subject, volumes), attached);
});

/** Empty or null, a region is missing or wrong. */
const noRegions = [{}, { region: '' }, { region: null }];

/** The same of an agent that is in a region already, and has these very volumes (decision 040). */
async function needsItAgain(run: Run, subject: Subject, volumes: Volumes): Promise<void> {
  const { volumes: list } = attached(volumes);
  for (const region of noRegions)
    run.check(status(await put(run, subject, { ...region, volumes: list }, refused), 400));
}

conforms('agents.volumes.mount-path-absolute', async (run) => {
  await withVolumes(run, async (subject, volumes, ways) => {
    await run.forAll(
      {
        mountPath: relativePath,
        at: fc.nat({ max: volumes.names.length - 1 }),
        readOnly: fc.boolean(),
        beside: eitherSpec,
        way: fc.constantFrom(...ways),
      },
      async ({ mountPath, at, readOnly, beside: more, way }) => {
        const spec = { ...more, ...withAttachment(volumes, at, { mountPath, readOnly }) };
        return status(await put(run, subject, spec, refused, way), 400);
      },
      {
        runs: scaleRuns(run, 60),
        examples: rotateVariants(
          ways,
          relativePaths.map((mountPath, index) => ({
            mountPath,
            at: index % volumes.names.length,
            readOnly: index % 2 === 0,
            beside: {},
          })),
        ),
      },
    );
  });
});

/** What else an update to be refused has. */
const eitherSpec = fc.constantFrom<Spec[]>({}, refusedSpec);

/** A blank in front may be trimmed, and the empty text may stand for none. */
const relativePaths = [
  ...'data data/ data/a ./data ../data . .. ./ ../ ~ ~/data ~root/data $HOME/data - a//b'.split(' '),
  ...'C:/data C:\\data \\data \\\\host\\data file:///data data:/data %2Fdata data\\/a *'.split(' '),
];
const relativePath = fc
  .array(fc.stringMatching(/^[A-Za-z0-9._~-]{1,8}$/), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join('/'));

conforms('agents.volumes.must-exist-in-region', async (run) => {
  await withEachSubject(run, async (subject) => {
    const volumes = await undefinedIfNotTried(attachable(run, subject));
    const ways = await waysToUpdate(run, subject);
    const before = await known(run, subject);
    const name = fc.stringMatching(/^[a-z0-9]{4,10}$/).map((word) => `${run.prefix}none-${word}`);
    const region = volumes?.region ?? 'assay-region';
    const attachment = { mountPath: '/mnt/assay', readOnly: false };
    const besides = specsBeside(run, subject);
    const beside = fc.constantFrom(...besides);
    await run.forAll(
      { name, readOnly: fc.boolean(), at: fc.nat({ max: 2 }), beside, way: fc.constantFrom(...ways) },
      async ({ way, beside: others, ...unknown }) => {
        const alone = { region, volumes: [{ ...attachment, name: unknown.name, readOnly: unknown.readOnly }] };
        const among = volumes && withUnknown(volumes, unknown);
        const exchanges = [];
        for (const spec of [alone, ...(among === undefined ? [] : [among])]) {
          exchanges.push(await put(run, subject, { ...others, ...spec }, refused, way));
        }
        return exchanges.flatMap((exchange) => status(exchange, 400));
      },
      {
        runs: scaleRuns(run, 40),
        examples: rotateVariants(
          ways,
          besides.map((spec, at) => ({
            name: `${run.prefix}none-${at}`,
            readOnly: at % 2 === 0,
            at: at % 3,
            beside: spec,
          })),
        ),
      },
    );
    if (volumes !== undefined) await checkElsewhere(run, subject, volumes);
    run.check(await stays(run, before));
  });
});

/** What nothing is wrong with. An agent that others use is not opened, should it be taken. */
const specsBeside = (run: Run, { name, generation }: Subject): Spec[] => [
  {},
  refusedSpec,
  { runtime: { envs: [{ name: 'ASSAY', value: 'text' }] } },
  ...(generation === 'mk3' && name.startsWith(run.prefix) ? [{ public: true }] : []),
];

/** In the place of one of several; behind or before the only one. */
function withUnknown(volumes: Volumes, { at, name, readOnly }: { at: number; name: string; readOnly: boolean }): Spec {
  if (volumes.names.length > 1) return withAttachment(volumes, at % volumes.names.length, { name, readOnly });
  const { region, volumes: list } = attached(volumes);
  const unknown = { name, mountPath: '/mnt/assay-unknown', readOnly };
  return { region, volumes: at === 0 ? [unknown, ...list] : [...list, unknown] };
}

/** Known volumes in a region that they are not in, and names that only look like theirs. */
async function checkElsewhere(run: Run, subject: Subject, volumes: Volumes): Promise<void> {
  const all = attached(volumes);
  const suffix = run.newName();
  for (const region of [`${volumes.region}-x`, `x${volumes.region}`, suffix, ...shorter(volumes.region)]) {
    for (const list of [all.volumes, ...all.volumes.map((each) => [each])]) {
      run.check(status(await put(run, subject, { region, volumes: list }, refused), 400));
    }
  }
  for (const [at, name] of volumes.names.entries()) {
    const begins = (await isNobodys(run, volumes, name)) ? shorter(name) : [];
    const others = [`${name}-${suffix}`, `${suffix}-${name}`, `${name}/${suffix}`, name.toUpperCase(), ...begins];
    for (const other of others.filter((each) => each !== name)) {
      run.check(status(await put(run, subject, withAttachment(volumes, at, { name: other }), refused), 400));
    }
  }
}

/** By its last character; none where nothing would be left. */
const shorter = (text: string): string[] => (text.length > 1 ? [text.slice(0, -1)] : []);

/** Whether the name without its last character is that of no volume: seen by the inferred read where the whole one is shown. */
async function isNobodys(run: Run, { names }: Volumes, name: string): Promise<boolean> {
  const isShown = async (volumeName: string): Promise<boolean> =>
    isSuccessful(await run.client.call('getVolume', { path: { volumeName } }));
  const [begin] = shorter(name);
  if (begin === undefined || names.includes(begin) || (await isShown(begin))) return false;
  return name.startsWith(run.prefix) || isShown(name);
}

function withAttachment(volumes: Volumes, at: number, wrong: Partial<Attachment>): Spec {
  const { region, volumes: list } = attached(volumes);
  return { region, volumes: list.map((each, index) => (index === at ? { ...each, ...only(wrong) } : each)) };
}

function only({ name, mountPath, readOnly }: Partial<Attachment>): Partial<Attachment> {
  return {
    ...(name !== undefined && { name }),
    ...(mountPath !== undefined && { mountPath }),
    ...(readOnly !== undefined && { readOnly }),
  };
}
