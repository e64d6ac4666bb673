/** Lint terminates on any document: within its time, within its memory, and with a message that says what is wrong. */
import { execFileSync, spawnSync } from 'node:child_process';
import { truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { assay, newFolder, run } from './testing/assay-process.ts';
import { measureMemory } from './testing/peak-memory.ts';
import { isNightly } from './testing/sample-size.ts';

const folder = newFolder();
const json = (schema: object) => ({ description: 'd', content: { 'application/json': { schema } } });
const HEAD = 'openapi: 3.1.0\ninfo: { title: A }\npaths: {}\n';
const referring = (to: string): string => `${HEAD}components: { schemas: { A: { $ref: '${to}#/A' } } }\n`;
const levels = Array.from({ length: 9 }, (_, level) => `k${level}: &n${level} [${`*n${level - 1}, `.repeat(10)}]`);
const collection = { get: { responses: { 200: json({ $ref: '#/components/schemas/A0' }) } } };
/** Each schema consists of the next one. */
const chain = (length: number): string => {
  const schemas = Array.from({ length }, (_, index) => [
    `A${index}`,
    { allOf: [{ $ref: `#/components/schemas/A${index + 1}` }] },
  ]);
  return JSON.stringify({
    openapi: '3.1.0',
    paths: { '/v0/things': collection },
    components: { schemas: { ...Object.fromEntries(schemas), [`A${length}`]: { type: 'object' } } },
  });
};
const operation = { operationId: 'same', responses: { 200: { description: 'd' } } };
/** A rule compares each brace with all that follow. */
const paths = { [`/${'{'.repeat(1_000_000)}`]: { get: operation } };

execFileSync('mkfifo', [path.join(folder, 'pipe')]);
writeFileSync(path.join(folder, 'sparse.yaml'), '');
truncateSync(path.join(folder, 'sparse.yaml'), 5 * 2 ** 30);

/** Lints a document with this text, or that file, and returns the peak of memory in MiB too. */
async function lint(text: string | undefined, name: string, ...flags: string[]) {
  if (text !== undefined) writeFileSync(path.join(folder, name), text);
  let memory: ReturnType<typeof measureMemory> | undefined;
  const ended = await run(['lint', name, ...flags], {
    cwd: folder,
    onStart: ({ pid = 0 }) => (memory = measureMemory(pid)),
  });
  return { ...ended, peak: memory?.stop() ?? 0 };
}

test.each<[string, string | undefined, string, number, string]>([
  [
    'an alias bomb in flow style',
    `{openapi: 3.1.0, z: &n-1 x, ${levels.join(', ')}}`,
    'flow.yaml',
    2,
    'if its aliases are expanded',
  ],
  ['an alias bomb behind a reference', referring('flow.yaml'), 'behind.yaml', 1, 'if its aliases are expanded'],
  ['an alias of itself', `${HEAD}a: &a [*a]\n`, 'itself.yaml', 2, 'an alias of a value within that value'],
  ['a reference to a named pipe', referring('pipe'), 'pipe.yaml', 1, 'It is a named pipe; expected a file.'],
  ['a reference to a device', referring('/dev/zero'), 'device.yaml', 1, 'It is a device; expected a file.'],
  ['a reference to a huge file', referring('sparse.yaml'), 'huge.yaml', 1, 'It is larger than 32 MiB.'],
  ['a named pipe', undefined, 'pipe', 2, 'pipe: It is a named pipe; expected a file.'],
  ['a huge file', undefined, 'sparse.yaml', 2, 'sparse.yaml: It is larger than 32 MiB.'],
  [
    'a deeply nested document',
    `{"openapi": "3.1.0", "x": ${'['.repeat(5_000_000)}`,
    'deep.json',
    2,
    'nested too deeply',
  ],
  ['a value that the parser does not support', `${HEAD}a: !!binary "////"\n`, 'binary.yaml', 2, 'does not support'],
  ['such a value behind a reference', referring('binary.yaml'), 'to-binary.yaml', 1, 'does not support'],
  ['a long chain of allOf', chain(3000), 'chain.json', 2, 'chain.json: It is nested too deeply.'],
])('%s', async (_what, text, name, expected, message) => {
  const { code, out, peak } = await lint(text, name, '--time', '10m');
  expect({ code, out }).toEqual({ code: expected, out: expect.stringContaining(message) as string });
  expect(peak).toBeLessThan(512);
});

/** With the default limit. In the nightly run, because it depends on the speed of the machine. */
test.each(isNightly ? ['paths.json'] : [])('%s, which takes too long, is given up within 10 s', async (name) => {
  const start = performance.now();
  const { code, out } = await lint(JSON.stringify({ openapi: '3.1.0', paths }), name);
  expect({ code, out }).toEqual({ code: 2, out: expect.stringContaining('needs more than 9.5 s') as string });
  expect(performance.now() - start).toBeLessThan(10_000);
});

test('a document that takes too long is given up after the time', async () => {
  const start = performance.now();
  const { code, out } = await lint(JSON.stringify({ openapi: '3.1.0', paths }), 'paths.json', '--time', '1s');
  expect(code).toBe(2);
  expect(out).toBe(
    'assay lint: paths.json: The document needs more than 1 s to be linted. Split it, or raise the limit with --time.\n',
  );
  // A busy machine may take seconds to start.
  expect(performance.now() - start).toBeLessThan(30_000);
});

test.each([
  ['lines', '\n'.repeat(18_000_000) + HEAD, 'lines.yaml'],
  ['more lines', '\n'.repeat(32_000_000) + HEAD, 'more-lines.yaml'],
  ['values', `{"openapi":"3.1.0","x":[${'{},'.repeat(10_000_000)}0]}`, 'values.json'],
  ['equal keys', `{"openapi":"3.1.0","x":{${'"a":0,'.repeat(4_000_000)}"b":0}}`, 'keys.json'],
])('a document of too many %s is given up within 512 MiB', async (_what, text, name) => {
  const { code, out, peak } = await lint(text, name, '--time', '10m');
  expect(code).toBe(2);
  expect(out).toBe(`assay lint: ${name}: The document needs more than 512 MiB of memory to be linted. Split it.\n`);
  expect(peak).toBeLessThan(512);
});

test('a document of 18 MB is linted', async () => {
  const text = JSON.stringify({ openapi: '3.1.0', info: {}, paths: {}, 'x-text': 'a'.repeat(18_000_000) });
  const { code, peak } = await lint(text, 'long.json', '--time', '10m');
  expect(code).toBe(0);
  expect(peak).toBeLessThan(512);
});

test('only one of the documents may be a pipe that the shell opened', () => {
  const { status, stderr } = spawnSync(process.execPath, [assay, 'lint', '/dev/stdin', '/dev/fd/0'], {
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain('Documents from pipes: /dev/stdin, /dev/fd/0; allowed: one. Write the others to files.');
});

test('a pipe that the shell opened is linted', () => {
  const words = [
    '-c',
    `cat '${path.join(folder, 'long.json')}' | '${process.execPath}' '${assay}' lint /dev/stdin --time 10m`,
  ];
  expect(execFileSync('sh', words, { encoding: 'utf8' })).toContain('No findings in 1 document.');
});
