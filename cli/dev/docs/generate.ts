/** Writes the generated parts of `docs/`: everything between `<!-- generated: NAME -->` and `<!-- end -->`. Part of `npm run documents`. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { actionTable } from './action-table.ts';
import { architectureTable } from './architecture-table.ts';
import { controlDocument } from './control-document.ts';
import { commandReference } from './command-reference.ts';
import { causeTable } from './cause-table.ts';
import { keyTable } from './key-table.ts';
import { requestLimitTable, specLimitTable, worldLimitTable } from './limit-tables.ts';
import { ruleList } from './rule-list.ts';
import { typeList } from './type-list.ts';

const root = path.join(import.meta.dirname, '../../..');

/** A generator returns Markdown without surrounding blank lines. */
const generators: Readonly<Record<string, () => string | Promise<string>>> = {
  'action-inputs': actionTable,
  layers: architectureTable,
  commands: commandReference,
  rules: ruleList,
  causes: causeTable,
  types: typeList,
  'request-limits': requestLimitTable,
  'spec-limits': specLimitTable,
  'world-limits': worldLimitTable,
  'target-keys': () => keyTable('target'),
  'world-keys': () => keyTable('world'),
  'config-keys': () => keyTable('config'),
  'known-failures-keys': () => keyTable('known-failures'),
};

/** The pages with their generated parts up to date, by path from the root. */
export async function generatedPages(): Promise<Record<string, string>> {
  const pages: Record<string, string> = {};
  for (const file of globSync('docs/*.md', { cwd: root }).toSorted())
    pages[file] = await fillIn(readFileSync(path.join(root, file), 'utf8'), file);
  return pages;
}

async function fillIn(page: string, file: string): Promise<string> {
  let filled = page;
  for (const [block, name = ''] of page.matchAll(/<!-- generated: (\S+) -->\n[^]*?<!-- end -->/g)) {
    const generate = generators[name];
    if (generate === undefined) throw new Error(`${file}: nothing generates "${name}".`);
    const text = await generate();
    filled = filled.replace(block, () => `<!-- generated: ${name} -->\n\n${text}\n\n<!-- end -->`);
  }
  return filled;
}

if (import.meta.main) {
  for (const [file, text] of Object.entries(await generatedPages())) writeFileSync(path.join(root, file), text);
  writeFileSync(
    path.join(root, 'docs/control-api.openapi.json'),
    `${JSON.stringify(await controlDocument(), null, 2)}\n`,
  );
}
