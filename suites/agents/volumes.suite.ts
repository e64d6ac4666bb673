/** agents.volumes.*: what a volume needs to be attached. */
import * as fc from 'fast-check';
import { conforms } from '../conforms.ts';
import type { Run } from '../conforms.ts';
import { status } from '../expect/status.ts';
import { shareOf } from '../for-all.ts';
import { orNone } from '../provision/or-none.ts';
import { inTurn, wayAt } from '../provision/ways.ts';
import type { Way } from '../provision/ways.ts';
import { known, put, refused, stays, waysToUpdate, withEachSubject } from './subject.ts';
import type { Spec, Subject } from './subject.ts';
import { attachable, attached } from './volumes.ts';
import type { Attachment, Volumes } from './volumes.ts';

/** With every agent that takes a volume; throws NotTried where none does. */
async function withVolumes(
  run: Run,
  use: (subject: Subject, volumes: Volumes, ways: readonly Way[]) => Promise<void>,
): Promise<void> {
  let tried = false;
  await withEachSubject(run, async (subject) => {
    const volumes = await orNone(attachable(run, subject));
    if (volumes === undefined) return;
    tried = true;
    const ways = await waysToUpdate(run, subject);
    const before = await known(run, subject);
    await use(subject, volumes, ways);
    run.check(await stays(run, before));
  });
  run.need(tried, 'an agent that takes the volume of the target');
}

conforms('agents.volumes.region-required', async (run) => {
  await withVolumes(run, async (subject, volumes, ways) => {
    const { volumes: all } = attached(volumes);
    const lists = [all, ...all.map((each) => [each]), all.map((each) => ({ ...each, readOnly: true }))];
    const others: Spec[] = [{}, { enabled: false }, { runtime: { envs: [{ name: 'ASSAY', value: 'text' }] } }];
    let asked = run.seed;
    for (const spec of others) {
      for (const list of lists) {
        // Empty or null, a region is missing or wrong.
        for (const region of [{}, { region: '' }, { region: null }]) {
          const way = wayAt(ways, asked++);
          run.check(status(await put(run, subject, { ...spec, ...region, volumes: list }, refused, way), 400));
        }
      }
    }
  });
});

conforms('agents.volumes.mount-path-absolute', async (run) => {
  await withVolumes(run, async (subject, volumes, ways) => {
    await run.forAll(
      {
        mountPath: relativePath,
        at: fc.nat({ max: volumes.names.length - 1 }),
        readOnly: fc.boolean(),
        way: fc.constantFrom(...ways),
      },
      async ({ mountPath, at, readOnly, way }) => {
        const spec = withAttachment(volumes, at, { mountPath, readOnly });
        return status(await put(run, subject, spec, refused, way), 400);
      },
      {
        runs: shareOf(run, 60),
        examples: inTurn(
          ways,
          relativePaths.map((mountPath, index) => ({
            mountPath,
            at: index % volumes.names.length,
            readOnly: index % 2 === 0,
          })),
        ),
      },
    );
  });
});

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
    const volumes = await orNone(attachable(run, subject));
    const ways = await waysToUpdate(run, subject);
    const before = await known(run, subject);
    const name = fc.stringMatching(/^[a-z0-9]{4,10}$/).map((word) => `${run.prefix}none-${word}`);
    const region = volumes?.region ?? 'assay-region';
    const attachment = { mountPath: '/mnt/assay', readOnly: false };
    await run.forAll(
      { name, readOnly: fc.boolean(), at: fc.nat({ max: 2 }), way: fc.constantFrom(...ways) },
      async ({ way, ...unknown }) => {
        const alone = { region, volumes: [{ ...attachment, name: unknown.name, readOnly: unknown.readOnly }] };
        const among = volumes && withUnknown(volumes, unknown);
        const exchanges = [];
        for (const spec of [alone, ...(among === undefined ? [] : [among])]) {
          exchanges.push(await put(run, subject, spec, refused, way));
        }
        return exchanges.flatMap((exchange) => status(exchange, 400));
      },
      { runs: shareOf(run, 40) },
    );
    if (volumes !== undefined) await checkElsewhere(run, subject, volumes);
    run.check(await stays(run, before));
  });
});

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
  for (const region of [`${volumes.region}-x`, `x${volumes.region}`, suffix]) {
    for (const list of [all.volumes, ...all.volumes.map((each) => [each])]) {
      run.check(status(await put(run, subject, { region, volumes: list }, refused), 400));
    }
  }
  for (const [at, name] of volumes.names.entries()) {
    const others = [`${name}-${suffix}`, `${suffix}-${name}`, `${name}/${suffix}`, name.toUpperCase()];
    for (const other of others.filter((each) => each !== name)) {
      run.check(status(await put(run, subject, withAttachment(volumes, at, { name: other }), refused), 400));
    }
  }
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
