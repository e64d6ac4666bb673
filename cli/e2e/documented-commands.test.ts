/** Keeps README and CONTRIBUTING true: the commands in them exist and do what is said. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import type { Report } from '../../spec/verdicts.ts';
import { watchedMock } from './testing/recording-mock.ts';
import type { Passing } from './testing/recording-mock.ts';

const root = path.join(import.meta.dirname, '../..');
const papers = ['README.md', 'CONTRIBUTING.md'].map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const bin = `${process.execPath} ${path.join(root, 'cli/assay.mjs')}`;

/** Every command that the papers show, in a block or in a sentence. */
const commands = [...papers.matchAll(/^(npx assay .*?)\s*(?:#.*)?$|`(npx assay [^`]+)`/gm)].map(
  (match) => match[1] ?? match[2] ?? '',
);

let folder: string;
let mock: RunningMock;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-papers-'));
  mock = await startMock();
  writeFileSync(path.join(folder, 'my-target.yaml'), JSON.stringify({ ...mock.target, allow: 'read' }));
  writeFileSync(path.join(folder, 'my-world.yaml'), readFileSync(path.join(root, 'fixtures/worlds/small.yaml')));
  writeFileSync(
    path.join(folder, 'my-api.yaml'),
    readFileSync(path.join(root, 'fixtures/good-documents/operation.yaml')),
  );
});

afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

/** A run of every rule takes long, and the suites are tried in whole elsewhere. */
const fewer = (command: string): string =>
  command.replace(/npx assay test(.*)/, (_, flags: string) =>
    flags.includes('--only')
      ? `npx assay test --runs 1${flags}`
      : `npx assay test --runs 1 --only '{metrics.resolution.hourly-cap,errors.generic.statuses}'${flags}`,
  );

/** Runs a command of the papers as it stands, but for ports and placeholders, and with fewer rules and inputs. */
async function run(command: string): Promise<{ code: number; output: string }> {
  const words = fewer(command).replaceAll('npx assay', bin).replaceAll('<id>', 'metrics.resolution.hourly-cap');
  const child = spawn(`exec ${words}`, { cwd: folder, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const serves = /^npx assay (mock|proxy)(?!.* -- )(?!.*--help)/.test(command);
  if (serves) {
    while (!/^The (mock|proxy) is ready/m.test(output))
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => tooEarly(output))]);
    process.kill(-(child.pid ?? 0), 'SIGTERM');
  }
  const [code] = await once(child, 'close');
  return { code: code as number, output };
}

function tooEarly(output: string): never {
  throw new Error(`It ended before it was told to: ${output}`);
}

describe('the papers', () => {
  test('show commands at all', () => {
    expect(commands.length).toBeGreaterThan(3);
  });

  test.each([...new Set(commands)])('%s', async (command) => {
    const { code, output } = await run(command.replace(/^(npx assay (?:mock|proxy))(?!.* -- )/, '$1 --port 0'));
    // A deliberate fault is there to be found; everything else the papers show goes well.
    expect({ code, output }).toMatchObject({ code: command.includes('--deviate') ? 1 : 0 });
  });

  test.each([
    ['GitHub Actions', /- run: (exec .*)/],
    ['Kubernetes', /- \|\n +(exec .*)/],
  ])('show a script for %s to which a signal does what it does to the run', async (_, pattern) => {
    const script = filledIn(pattern.exec(papers)?.[1] ?? '');
    let child: ChildProcess | undefined;
    // Once: a second signal, a second later, would stop it at once.
    const tell = ({ status }: Passing): void => {
      if (status === undefined && watched.seen.length === 1) child?.kill('SIGTERM');
    };
    await using watched = await watchedMock(tell);
    writeFileSync(path.join(folder, 'watched.yaml'), JSON.stringify(watched.target));
    child = spawn('sh', ['-c', script], { cwd: folder, env: { ...process.env, JOB_COMPLETION_INDEX: '1' } });
    const [code] = (await once(child, 'close')) as [number];
    const { run: facts } = JSON.parse(readFileSync(path.join(folder, 'of-shard', 'report.json'), 'utf8')) as Report;
    rmSync(path.join(folder, 'of-shard'), { recursive: true });
    expect({ code, shard: facts.shard, complete: facts.complete }).toEqual({ code: 3, shard: '2/4', complete: false });
  });

  test('name only npm scripts that exist', () => {
    const named = [...papers.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(named).toContain('check');
  });

  test('name only files that exist', () => {
    const files = [...papers.matchAll(/`((?:spec|mock|suites|fixtures|reports|cli|bench)\/[\w./-]+\.\w+)`/g)].map(
      (match) => match[1] ?? '',
    );
    expect(files.filter((file) => !existsInCheckout(file))).toEqual([]);
    expect(files.length).toBeGreaterThan(3);
  });
});

/** The command of this checkout, a target file and a folder that are there, and a shard. */
const filledIn = (script: string): string =>
  script
    .replaceAll(/\$\{\{ .*? \}\}/g, '2')
    .replace('node_modules/.bin/assay', bin)
    .replace(/(?<=--target )\S+/, 'watched.yaml')
    .replace(/(?<=--report )\S+/, 'of-shard');

function existsInCheckout(file: string): boolean {
  try {
    return readFileSync(path.join(root, file)).length > 0;
  } catch {
    return false;
  }
}
