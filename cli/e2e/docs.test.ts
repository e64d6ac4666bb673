/** Checks the documentation: links, snippets, length of the README, and generated parts. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startMock } from '../../mock/start-mock.ts';
import type { z } from 'zod';
import { knownDifferencesSchema } from '../../spec/formats/comparison.ts';
import { knownFailuresSchema } from '../../spec/formats/known-failures.ts';
import { targetFileSchema } from '../../spec/formats/target-file.ts';
import type { WorldExtension } from '../../spec/formats/world-file.ts';
import { replaceVariables } from '../../suites/target/variables.ts';
import { generatedPages } from '../dev/docs/generate.ts';
import { slowTests } from '../dev/slow-tests.ts';
import { codeBlocks, markdownPages, projectRoot } from './testing/markdown-pages.ts';

const pages = markdownPages();

/** GitHub's anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const anchorsIn = (text: string): string[] =>
  [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

test.each(pages)('links of $file lead somewhere', ({ file, text }) => {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => {
    if (/^https?:/.test(link)) return false;
    const [target = '', anchor] = link.split('#');
    const linked = target === '' ? file : path.join(path.dirname(file), target);
    if (!existsSync(path.join(projectRoot, linked))) return true;
    return anchor !== undefined && !anchorsIn(readFileSync(path.join(projectRoot, linked), 'utf8')).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test('every file and script that enforces a guarantee exists', () => {
  const text = pages.find(({ file }) => file === 'docs/security.md')?.text ?? '';
  const [, guarantees = ''] = /^## Guarantees$([^]*?)^## /m.exec(text) ?? [];
  const { scripts } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { scripts: object };
  const enforcedBy = guarantees
    .split('\n')
    .filter((line) => /^\| [A-Z`]/.test(line))
    .map((line) => [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
  expect(enforcedBy.length).toBeGreaterThanOrEqual(8);
  expect(enforcedBy.filter((names) => names.length === 0)).toEqual([]);
  const exists = (name: string): boolean =>
    name.startsWith('npm run ') ? name.slice(8) in scripts : existsSync(path.join(projectRoot, name));
  expect(enforcedBy.flat().filter((name) => !exists(name))).toEqual([]);
});

/** Files that users get, also by copying: sources, pages, and what is generated from them. */
const shippedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(
      (file) =>
        file !== '' &&
        !/\.test\.ts$|^(?:fixtures|findings)\/|^package-lock\.json$/.test(file) &&
        existsSync(path.join(projectRoot, file)),
    );

/** What names a package, a host, an action or an image, and what this project may name. */
const names: readonly { readonly what: RegExp; readonly allowed: RegExp }[] = [
  {
    what: /\b(?:npm (?:install|i|add|exec|x|create|init|view)|yarn|pnpm|bunx?)\b[^\n`&]*\bassay\b[^\n`&]*/g,
    allowed: /^npm install [^\n`]*(?:\.\.\/assay\/svc-assay-0\.1\.0|\/tmp\/assay)\.tgz[^\n`@]*$/,
  },
  { what: /\bnpx(?: --?[\w-]+)* @?[\w/-]*\bassay\b/g, allowed: /^npx --no (?:-- )?assay$/ },
  { what: /\buses: +[\w<>.-]+\/.*/g, allowed: /^uses: +(?:actions|github|<OWNER>)\// },
  {
    what: /\b(?:FROM|image:) +[\w.-]+[/:]\S*/g,
    allowed: /(?:FROM|image:) +(?:node:\d+(?:-slim)?|registry\.example\/[\w/:-]+)$/,
  },
  {
    what: /\bhttps?:\/\/[\w.-]+\.[a-z]+\b[^\s`'")>]*/g,
    allowed:
      /^https?:\/\/(?:(?:[\w.-]+\.)?(?:example|invalid|localhost|local)\b|(?:[\w-]+\.)*example\.(?:com|net|org)\b|github\.com\/(?:example\/|FiloSottile\/mkcert|stoplightio\/(?:prism|spectral))|api\.github\.com|(?:json-schema|www\.w3|www\.sqlite)\.org|www\.rfc-editor\.org|keepachangelog\.com|json\.schemastore\.org|docs\.stoplight\.io|[\d.]+)/,
  },
];

const foreignNames = (text: string): string[] =>
  names.flatMap(({ what, allowed }) => (text.match(what) ?? []).filter((found) => !allowed.test(found)));

test('no command, address, action or image names what belongs to nobody or to others', () => {
  const found = shippedFiles().flatMap((file) =>
    foreignNames(readFileSync(path.join(projectRoot, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});

test.each([
  'npm install -g assay',
  'npm install --save-dev @svc/assay',
  'npm exec assay test',
  'pnpm dlx assay',
  'npx assay test',
  'npx --yes assay test',
  'npx @svc/assay test',
  'uses: assay/action@v1',
  'FROM assay/assay:1',
  '  image: ghcr.io/svc/assay',
  '[![npm](https://img.shields.io/npm/v/assay)](https://www.npmjs.com/package/assay)',
  'https://github.com/svc/assay',
  'https://assay.dev/',
])('%s would name such a thing', (text) => {
  expect(foreignNames(text)).not.toEqual([]);
});

const pasted = pages.map(({ file, text }) => ({
  file,
  text,
  blocks: [...codeBlocks({ file, text }, 'bash'), ...codeBlocks({ file, text }, 'sh')],
}));

test('a page that uses the package says first how to install it', () => {
  const using = pages.filter(({ file }) => !['CONTRIBUTING.md', 'docs/installation.md'].includes(file));
  const places = using.map(({ file, text }) => ({
    file,
    use: text.search(/npx --no assay|node_modules\/@svc\/assay/),
    link: text.search(/\]\((?:docs\/|\.\.\/)?installation\.md\)/),
  }));
  const users = places.filter(({ use }) => use >= 0);
  expect(users.length).toBeGreaterThan(12);
  expect(users.filter(({ use, link }) => link < 0 || link > use)).toEqual([]);
});

test('commands are followed by no comment, because zsh would take it for arguments', () => {
  const found = pasted.flatMap(({ file, blocks }) =>
    blocks.flatMap((block) =>
      block
        .split('\n')
        .filter((line) => /(?:^|\s)#/.test(line))
        .map((line) => `${file}: ${line}`),
    ),
  );
  expect(found).toEqual([]);
});

test('every page installs the same tarball, and CI calls the test command of the README', () => {
  const commands = pasted.flatMap(({ blocks }) => blocks.map((block) => block.trim()));
  const installing = commands.filter((command) => command.includes('npm pack'));
  expect(installing.length).toBeGreaterThan(2);
  expect(new Set(installing).size).toBe(1);
  const runTests = commands.find((command) => command.endsWith('&& npm test'));
  expect(readFileSync(path.join(projectRoot, '.ci/run'), 'utf8')).toContain(`\nbash -c '${runTests}'\n`);
});

test('linked files are in the package', () => {
  const { files } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { files: string[] };
  const linked = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\]\(([^)\s#]+)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link))
      .map((link) => path.join(path.dirname(file), link)),
  );
  const isPacked = (file: string): boolean =>
    files.some((packed) => file === packed || file.startsWith(`${packed}/`)) || file === 'README.md';
  expect([...new Set(linked)].filter((file) => !isPacked(file))).toEqual([]);
});

test('one placeholder stands for the name in a registry', () => {
  const found = pages.filter(({ text }) => text.includes('<PUBLISHED NAME>'));
  expect(found.map(({ file }) => file)).toEqual(['docs/installation.md']);
});

test('the README has at most 120 lines', () => {
  expect(
    pages
      .find(({ file }) => file === 'README.md')
      ?.text.trimEnd()
      .split('\n').length,
  ).toBeLessThanOrEqual(120);
});

test('the commands of CONTRIBUTING.md that name slow tests run them', () => {
  const text = pages.find(({ file }) => file === 'CONTRIBUTING.md')?.text ?? '';
  const commands = [...text.matchAll(/`npx vitest run ([^`]+)`/g)].map(([, words = '']) => words.split(/\s+/));
  const isSlow = (word: string): boolean =>
    slowTests.some((slow) => path.matchesGlob(slow, word) || path.matchesGlob(word, slow));
  const naming = commands.filter((words) => words.includes('own') && words.some(isSlow));
  expect(naming).toHaveLength(2);
  expect(naming.filter((words) => !words.includes('slow'))).toEqual([]);
});

test('generated parts are up to date', async () => {
  // The formatter aligns tables and wraps lines.
  const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').replaceAll(/-{3,}/g, '---');
  for (const [file, text] of Object.entries(await generatedPages()))
    expect({ file, text: squeeze(text) }).toEqual({
      file,
      text: squeeze(readFileSync(path.join(projectRoot, file), 'utf8')),
    });
});

const yaml = pages.flatMap((page) =>
  codeBlocks(page, 'yaml').map((block) => ({ file: page.file, value: parse(block) as unknown })),
);
const json = pages.flatMap((page) => codeBlocks(page, 'json'));

test('YAML and JSON blocks parse, and target and known-failures files are valid', () => {
  const hasKey = (value: unknown, key: string): boolean => typeof value === 'object' && value !== null && key in value;
  const targets = yaml.filter(({ value }) => hasKey(value, 'addresses'));
  expect(targets.length).toBeGreaterThan(1);
  for (const { file, value } of targets)
    expect({ file, error: targetFileSchema.safeParse(replaceVariables(value, {})).error }).toEqual({
      file,
      error: undefined,
    });
  const lists = yaml.filter(({ value }) => Array.isArray(value) && hasKey(value[0], 'reason'));
  expect(lists).toHaveLength(2);
  const schemaOf = (value: unknown): z.ZodType =>
    hasKey((value as unknown[])[0], 'operation') ? knownDifferencesSchema : knownFailuresSchema;
  for (const { file, value } of lists)
    expect({ file, error: schemaOf(value).safeParse(value).error }).toEqual({ file, error: undefined });
  for (const block of json) expect(() => JSON.parse(block) as unknown).not.toThrow();
});

const worlds = yaml.filter(({ file }) => ['docs/mock.md', 'docs/world-file.md'].includes(file));

test.each(worlds)('a world file in $file can be loaded', async ({ value }) => {
  await using mock = await startMock({ world: value as WorldExtension });
  expect((await mock.worlds()).length).toBe(1);
});

test('TypeScript snippets compile', () => {
  const folder = mkdtempSync(path.join(projectRoot, 'node_modules/.docs-'));
  try {
    const context = `declare const mock: import('@svc/assay').RunningMock;\n`;
    const snippets = pages.flatMap((page) => codeBlocks(page, 'ts'));
    expect(snippets.length).toBeGreaterThan(3);
    for (const [index, snippet] of snippets.entries())
      writeFileSync(
        path.join(folder, `snippet-${index}.ts`),
        `${/\b(?:const|let|using) mock\b/.test(snippet) ? '' : context}${snippet}\nexport {};\n`,
      );
    const paths = {
      '@svc/assay': ['../../mock/start-mock.ts'],
      '@svc/assay/*': ['../../mock/test-runners/*.ts'],
    };
    const configuration = {
      extends: '../../tsconfig.json',
      compilerOptions: { paths, noUnusedLocals: false },
      include: ['./*.ts', '../../mock/test-runners/playwright-test.d.ts'],
      exclude: [],
    };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(configuration));
    const tsc = path.join(projectRoot, 'node_modules/.bin/tsc');
    expect(() => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
