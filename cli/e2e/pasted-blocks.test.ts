/**
 * Runs the `bash` blocks of the README and of docs/ as they would be pasted, in a folder where assay is installed and next to
 * running mocks. Blocks in `elsewhere` are run by other tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import { codeBlocks, markdownPages, projectRoot } from './testing/markdown-pages.ts';

const RULE = 'metrics.resolution.hourly-cap';

/** What runs a block that begins with a text or comes from a page. */
const elsewhere: readonly { readonly page?: string; readonly text?: string; readonly test: string }[] = [
  { text: 'cd assay && npm ci && npm start', test: 'cli/e2e/first-commands.test.ts' },
  { text: 'npm ci && npm test', test: '.ci/run' },
  { text: '(cd ../assay && npm ci && npm pack)', test: 'cli/e2e/first-commands.test.ts' },
  { text: 'cp node_modules/@svc/assay', test: 'cli/e2e/first-commands.test.ts' },
  { text: 'npx --no assay compare --versions', test: 'cli/e2e/compare-versions.test.ts' },
  { page: 'docs/clients.md', text: 'npm install --save-dev ', test: 'cli/dev/clients.ts' },
  { page: 'docs/implementing.md', text: 'export SVC_ADMIN_TOKEN', test: 'cli/e2e/implementing.test.ts' },
  { page: 'docs/implementing.md', text: 'npx --no assay init', test: 'cli/e2e/implementing.test.ts' },
  { page: 'docs/implementing.md', text: 'npx --no assay test', test: 'cli/e2e/implementing.test.ts' },
  { text: 'npx -p @stoplight/spectral-cli spectral lint', test: 'cli/e2e/lint.test.ts' },
  { text: 'npx --no assay mock --deviate RULE -- npx --no assay replay', test: 'cli/e2e/replay.test.ts' },
];

const pages = markdownPages().filter(({ file }) => file === 'README.md' || file.startsWith('docs/'));
const blocks = pages.flatMap((page) => codeBlocks(page, 'bash').map((text) => ({ page: page.file, text })));
const isElsewhere = (block: (typeof blocks)[number], { page = block.page, text = '' }: (typeof elsewhere)[number]) =>
  page === block.page && block.text.startsWith(text);
const here = blocks.filter((block) => !elsewhere.some((each) => isElsewhere(block, each)));

let folder: string;
let mocks: readonly RunningMock[];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'assay-pasted-'));
  mkdirSync(path.join(folder, 'node_modules/.bin'), { recursive: true });
  // Runs of few rules and short comparisons, because whole ones are tested elsewhere; mocks on free ports.
  const assay = `case "$1" in
  test) shift; set -- test --runs 1 --only ${RULE} --exchanges all --har "$@" ;;
  compare) shift; set -- compare --seed 5 "$@" ;;
  mock) case " $* " in *" -- "*) ;; *) shift; set -- mock --port 0 "$@" ;; esac ;;
esac
exec ${process.execPath} ${path.join(projectRoot, 'cli/assay.mjs')} "$@"`;
  writeProgram('assay', assay);
  writeProgram(
    'npx',
    'case "$1 $2" in "--no assay") shift; exec "$@" ;; "playwright test") printenv ASSAY_TARGET ;; *) exit 127 ;; esac',
  );
  // An error response fails the block.
  writeProgram('curl', 'PATH=${PATH#*:} exec curl --fail-with-body "$@"');
});

afterAll(() => rmSync(folder, { recursive: true }));

beforeEach(async () => {
  mocks = await Promise.all([startMock(), startMock()]);
  const files = ['staging.yaml', 'production.yaml'];
  mocks.forEach(({ target }, index) =>
    writeFileSync(path.join(folder, files[index] ?? ''), JSON.stringify({ ...target, allow: 'read' })),
  );
});

afterEach(() => Promise.all(mocks.map((mock) => mock.close())));

function writeProgram(name: string, script: string): void {
  writeFileSync(path.join(folder, 'node_modules/.bin', name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
}

/** Runs a block, up to the line with which a server says that it is ready. */
async function paste(block: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const [mock] = mocks;
  const env = {
    ...process.env,
    PATH: [path.join(folder, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter),
    SVC_API_KEY: mock?.target.credentials.apiKey.value,
  };
  const child = spawn('bash', ['-euc', filledIn(block)], { cwd: folder, env, detached: true });
  let output = '';
  let isServing = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += String(chunk);
      if (isServing || !/^The mock is ready/m.test(output)) return;
      isServing = true;
      process.kill(-(child.pid ?? 0), 'SIGTERM');
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code: isServing ? 0 : code, output };
}

const filledIn = (block: string): string =>
  block
    .replaceAll(/https:\/\/api\.staging\.example|http:\/\/127\.0\.0\.1:4010/g, String(mocks[0]?.addresses.host))
    .replace('export SVC_API_KEY=…\n', '')
    // The mock gets the signal after it has started, and stops.
    .replace(
      /&\nkill \$!/,
      '> started.txt &\nuntil grep -q "mock is ready" started.txt; do sleep 0.1; done\nkill $!; wait $!',
    );

/** What writes the files that a block reads, or removes those that it writes: by a part of its text. */
const before: readonly (readonly [part: string, commands: string])[] = [
  ['', 'cp staging.yaml my-target.yaml'],
  ['assay init', 'rm -f my-target.yaml assay.target.yaml'],
  ['traffic.har', 'npx --no assay test --target my-target.yaml --report har; cp har/exchanges.har traffic.har'],
  [
    'monday',
    'for day in monday tuesday; do npx --no assay compare staging.yaml production.yaml --requests 25 --report $day; done',
  ],
];

test.each(here)('$page: $text', async ({ page: file, text }) => {
  const prepared = before.filter(([part]) => text.includes(part)).map(([, commands]) => commands);
  // Variables that the page has set until then.
  const page = here.filter((each) => each.page === file).map((each) => each.text);
  const variables = page.slice(0, page.indexOf(text)).filter((each) => /^[A-Z_]+=/.test(each));
  const { code, output } = await paste([...prepared, ...variables, text].join('\n'));
  expect(code === 0 ? '' : output).toBe('');
});

test('every block that another test runs is there, and so is the test', () => {
  expect(elsewhere.filter((each) => !blocks.some((block) => isElsewhere(block, each)))).toEqual([]);
  expect(elsewhere.filter((each) => !existsSync(path.join(projectRoot, each.test)))).toEqual([]);
  expect(here.length).toBeGreaterThan(20);
});
