/** docs/implementing.md: its template and its commands, from an empty folder to the first green area. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { newFolder, run } from './testing/assay-process.ts';
import { codeBlocks, markdownPages, projectRoot } from './testing/markdown-pages.ts';
import { freePort } from '../../mock/testing/free-port.ts';

const page = markdownPages().find(({ file }) => file === 'docs/implementing.md')!;
const commands = codeBlocks(page, 'bash')
  .flatMap((block) => block.split('\n'))
  .filter((line) => /^npx --no assay (init|doctor|test|diff)\b/.test(line))
  .map((line) => line.replace('npx --no assay ', ''));

test.each(['hono.ts', 'main.go'])('the page contains the template %s, of at most 60 lines', (file) => {
  const text = readFileSync(path.join(projectRoot, 'fixtures/templates', file), 'utf8');
  expect(page.text).toContain(text);
  expect(text.split('\n').length).toBeLessThanOrEqual(61);
});

test('the commands of the page work on the template', async () => {
  const cwd = newFolder();
  const env = { SVC_ADMIN_TOKEN: 'my-first-token' };
  const port = String(await freePort());
  const template = path.join(projectRoot, 'fixtures/templates/hono.ts');
  const server = spawn(process.execPath, [template], { env: { ...process.env, ...env, PORT: port }, stdio: 'ignore' });
  try {
    await listening(`http://127.0.0.1:${port}`);
    expect(commands).toHaveLength(7);
    copyFileSync(template, path.join(cwd, 'hono.ts'));
    const outputs: string[] = [];
    for (const command of commands) {
      const words = command
        .replace('3000', port)
        .split(' ')
        .map((word) => word.replaceAll("'", ''));
      const { code, out } = await run(joined(words), { cwd, env, onStart: interruptWatching });
      outputs.push(`${code} ${out}`);
    }
    const [init, doctor, declared, whole, watching, bailing, diff] = outputs;
    expect(init).toMatch(/^0 Wrote assay\.target\.yaml: workspace unknown, account acc-demo/);
    expect(doctor).toMatch(/^0 /);
    expect(declared).toMatch(/^0 /);
    expect(declared).toMatch(/not selected: \d+ operations, \d+ rules\n\d+ of \d+ selected must rules tried/);
    expect(whole).toMatch(/^1 /);
    const findings = [...(whole ?? '').matchAll(/^failed (.*)/gm)].map(([, text]) => text);
    expect(findings).toEqual([
      expect.stringMatching(
        /^GET \/accounts\/\{accountId\}\/metrics is not implemented \(404\): \d\d rules wait for it$/,
      ),
      expect.stringMatching(/^GET \S+group-by is not implemented/),
      expect.stringMatching(/^GET \S+resource-types is not implemented/),
    ]);
    expect(watching).toMatch(/^[13] [^]*failed GET \S+ is not implemented[^]*Watching .*hono\.ts/);
    expect(bailing).toMatch(/^1 [^]*failed GET \S+ is not implemented/);
    expect(diff).toMatch(/^0 /);
  } finally {
    server.kill();
    await once(server, 'close');
  }
});

/** Presses Ctrl-C when a run has ended and its files are watched. */
function interruptWatching(child: ChildProcess): void {
  child.stdout?.on('data', (chunk: Buffer) => {
    if (chunk.toString().includes('Watching ')) child.kill('SIGINT');
  });
}

/** The route after --operation is one word. */
const joined = (words: string[]): string[] =>
  words.flatMap((word, at) => (word === 'GET' ? [`GET ${words[at + 1]}`] : words[at - 1] === 'GET' ? [] : [word]));

async function listening(address: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    if (
      await fetch(address)
        .then(() => true)
        .catch(() => false)
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
