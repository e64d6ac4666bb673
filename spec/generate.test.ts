import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { surfaces } from './openapi-document.ts';
import { generate, generatedFolder, redocly } from './generate.ts';

test('the generated files are up to date; if not, run `npm run documents`', async () => {
  for (const [name, text] of Object.entries(await generate())) {
    expect(readFileSync(join(generatedFolder, name), 'utf8') === text, `${name} is stale`).toBe(true);
  }
});

test('the documents pass the meta-schema check of OpenAPI 3.1', () => {
  const files = surfaces.map((surface) => join(generatedFolder, `${surface}.json`));
  expect(redocly('lint', ...files, '--extends=spec')).toContain('valid');
});

test('the meta-schema check rejects an invalid document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-no-document-'));
  try {
    const text = readFileSync(join(generatedFolder, 'host.json'), 'utf8');
    const bad = join(folder, 'bad.json');
    writeFileSync(bad, text.replace('"responses"', '"answers"'));
    expect(() => redocly('lint', bad, '--extends=spec')).toThrow('answers');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
