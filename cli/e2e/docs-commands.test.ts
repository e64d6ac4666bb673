/** Runs the commands in README, CONTRIBUTING and docs. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { markdownPages } from './testing/markdown-pages.ts';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import type { Report } from '../../spec/verdicts.ts';
import { startRecordingMock } from './testing/recording-mock.ts';
import type { RecordedRequest } from './testing/recording-mock.ts';

const root = path.join(import.meta.dirname, '../..');
const pages = markdownPages()
  .map(({ text }) => text)
  .join('\n');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const bin = `${process.execPath} ${path.join(root, 'cli/assay.mjs')}`;

/** Every command in a `sh` block or in inline code, and the steps of pipelines that lint. `bash` blocks, which need a running mock or an installed package, are run by pasted-blocks.test.ts. */
const blocks = [...pages.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) => block).join('\n');
const prose = pages.replaceAll(/^```[^]*?^```/gm, '');
const commands = [
  ...[...blocks.matchAll(/^(npx --no assay .*?)\s*(?:#.*)?$/gm)].map(([, command = '']) => command),
  ...[...pages.matchAll(/^- run: (npx --no assay lint .*)$/gm)].map(([, command = '']) => command),
  ...[...prose.matchAll(/`(npx --no assay [^`]+)`/g)].map(([, command = '']) => command),
].filter((command) => !/\b(?:COMMAND|FILE|FOLDER|DIR|ID|RULE)\b/.test(command));

let folder: string;
let mock: RunningMock;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-docs-'));
  mock = await startMock();
  writeFileSync(path.join(folder, 'my-target.yaml'), JSON.stringify({ ...mock.target, allow: 'read' }));
  writeFileSync(path.join(folder, 'my-world.yaml'), readFileSync(path.join(root, 'fixtures/worlds/small.yaml')));
  writeFileSync(
    path.join(folder, 'my-api.yaml'),
    readFileSync(path.join(root, 'fixtures/good-documents/operation.yaml'), 'utf8').replace(
      'info: {',
      'info: { license: { name: MIT },',
    ),
  );
  const [, ruleset = ''] = /^```yaml\n(# team\.yaml\nextends[^]*?)^```/m.exec(pages) ?? [];
  writeFileSync(path.join(folder, 'team.yaml'), ruleset);
});

afterAll(async () => {
  await mock.close();
  rmSync(folder, { recursive: true });
});

/** Restricts runs to a few rules: whole runs are tested elsewhere. */
const fewer = (command: string): string =>
  command.replace(/npx --no assay test(.*)/, (_, flags: string) =>
    flags.includes('--only')
      ? `npx --no assay test --runs 1${flags}`
      : `npx --no assay test --runs 1 --only '{metrics.resolution.hourly-cap,errors.generic.statuses}'${flags}`,
  );

/** Runs a documented command with another port, placeholders filled in, and fewer rules and inputs. */
async function run(command: string): Promise<{ code: number; output: string }> {
  const words = fewer(command).replaceAll('npx --no assay', bin).replaceAll('<id>', 'metrics.resolution.hourly-cap');
  const child = spawn(`exec ${words}`, { cwd: folder, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const serves = /^npx --no assay (mock|proxy)(?!.* -- )(?!.*--help)/.test(command);
  if (serves) {
    while (!/^The (mock|proxy) is ready/m.test(output))
      await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => failEarly(output))]);
    process.kill(-(child.pid ?? 0), 'SIGTERM');
  }
  const [code] = await once(child, 'close');
  return { code: code as number, output };
}

function failEarly(output: string): never {
  throw new Error(`The command ended early: ${output}`);
}

describe('the documentation', () => {
  test('contains commands, and nothing else in sh blocks', () => {
    expect(commands.length).toBeGreaterThan(3);
    expect(blocks.split('\n').filter((line) => !/^(?:npx --no assay .*)?$/.test(line))).toEqual([]);
  });

  test.each([...new Set(commands)])('%s', async (command) => {
    // It compares the last two runs of one target.
    if (command === 'npx --no assay diff')
      for (const _ of [1, 2]) await run('npx --no assay test --target my-target.yaml');
    const { code, output } = await run(command.replace(/^(npx --no assay (?:mock|proxy))(?!.* -- )/, '$1 --port 0'));
    // Only runs against a deviation are expected to fail, and a proxy that forwarded nothing.
    const fails = command.includes('--deviate') || /^npx --no assay proxy(?!.* -- )/.test(command);
    expect({ code, output }).toMatchObject({ code: fails ? 1 : 0 });
  });

  test.each([
    ['GitHub Actions', /- run: \|\n +(exec .*\\\n.*)/],
    ['Kubernetes', /- \|\n +(exec (?:.*\\\n)*.*)/],
  ])('contains a script for %s that forwards signals to the run', async (_, pattern) => {
    const script = filledIn(pattern.exec(pages)?.[1] ?? '');
    let child: ChildProcess | undefined;
    // Once: a second signal, a second later, would stop it at once.
    const tell = ({ status }: RecordedRequest): void => {
      if (status === undefined && watched.seen.length === 1) child?.kill('SIGTERM');
    };
    await using watched = await startRecordingMock(tell);
    writeFileSync(path.join(folder, 'watched.yaml'), JSON.stringify(watched.target));
    child = spawn('sh', ['-c', script], { cwd: folder, env: { ...process.env, JOB_COMPLETION_INDEX: '1' } });
    const [code] = (await once(child, 'close')) as [number];
    const { run: facts } = JSON.parse(readFileSync(path.join(folder, 'of-shard', 'report.json'), 'utf8')) as Report;
    rmSync(path.join(folder, 'of-shard'), { recursive: true });
    expect({ code, shard: facts.shard, complete: facts.complete }).toEqual({ code: 3, shard: '2/4', complete: false });
  });

  test('names only npm scripts that exist', () => {
    const named = [...pages.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
    expect(named).toContain('check');
  });

  test('names only files that exist', () => {
    const files = [...pages.matchAll(/`((?:spec|mock|suites|fixtures|reports|cli|bench)\/[\w./-]+\.\w+)`/g)].map(
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
