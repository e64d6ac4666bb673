/** Which options stand in the end, of flags, the environment and `assay.config.ts`. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { newFolder, run } from './testing/assay-process.ts';
import { applyConfigFile } from '../command-line/config-file.ts';
import { commands } from '../commands/index.ts';

async function optionsOf(name: string, words: readonly string[], section: object, environment = {}) {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'assay.config.ts'), `export default ${JSON.stringify({ [name]: section })};`);
  const command = new Command(name);
  (await commands[name]?.load())?.subcommand.define(command);
  command.parse(words, { from: 'user' });
  await applyConfigFile(command, name, environment, folder);
  const { target, baseUrl } = command.opts<{ target?: string; baseUrl?: string }>();
  return { target, baseUrl };
}

/** The commands that ask a target, with the arguments that they must have. */
const targetCommands: [string, string[]][] = [
  ['test', []],
  ['replay', ['report', 'id']],
  ['sweep', []],
  ['proxy', []],
];
const [file, address] = ['flagged.yaml', 'http://127.0.0.1:1/v0'];
const named = { ASSAY_TARGET: 'named.yaml' };

test.each(targetCommands)('assay %s uses the target of the file if nothing else names one', async (name, words) => {
  const section = { target: 'configured.yaml' };
  expect(await optionsOf(name, words, section)).toEqual({ target: 'configured.yaml' });
  expect(await optionsOf(name, words, section, { ASSAY_TARGET: '' })).toEqual({ target: 'configured.yaml' });
});

test.each(targetCommands)(
  'assay %s takes none of the file where a flag or ASSAY_TARGET names one',
  async (name, words) => {
    for (const section of [{ target: 'configured.yaml' }, { baseUrl: 'http://configured/v0' }]) {
      expect(await optionsOf(name, words, section, named)).toEqual({});
      expect(await optionsOf(name, [...words, '--base-url', address], section)).toEqual({ baseUrl: address });
      expect(await optionsOf(name, [...words, '--target', file], section, named)).toEqual({ target: file });
    }
  },
);

test('a target file and a base URL can be combined in the file', async () => {
  const section = { target: 'a.yaml', baseUrl: address };
  expect(await optionsOf('sweep', [], section)).toEqual(section);
  expect(await optionsOf('sweep', ['--target', file], section)).toEqual({ target: file });
});

test('in a project without "type", Node does not warn about the file, but its other warnings are printed', async () => {
  const cwd = newFolder();
  writeFileSync(path.join(cwd, 'package.json'), '{}');
  const content = `process.emitWarning('from the file');\nexport default { rules: { json: true } };\n`;
  writeFileSync(path.join(cwd, 'assay.config.ts'), content);
  const { code, out } = await run(['rules'], { cwd });
  expect(code).toBe(0);
  expect(out).toContain('Warning: from the file');
  expect(out).not.toContain('MODULE_TYPELESS_PACKAGE_JSON');
});

test('in a CommonJS project, the error says how to write the file', async () => {
  const folder = newFolder();
  writeFileSync(path.join(folder, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(path.join(folder, 'assay.config.ts'), 'export default {};');
  const { code, out } = await run(['rules'], { cwd: folder });
  const message = 'Set "type": "module" in package.json, or write module.exports = { … } instead of export default.';
  expect([code, out.includes(message)]).toEqual([2, true]);
  writeFileSync(path.join(folder, 'assay.config.ts'), 'module.exports = {};');
  expect(await run(['rules'], { cwd: folder })).toMatchObject({ code: 0 });
});
