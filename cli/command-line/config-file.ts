/** Options from `assay.config.ts` of the working directory, one section per command. Flags take precedence, as does ASSAY_TARGET. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import type { ZodType } from 'zod';
import { describeFileError } from '../../spec/describe-file-error.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import type { Environment } from '../../suites/target/environment.ts';
import { commandNames } from './command-names.ts';
import { isTargetGiven, targetKeys } from './target-flags.ts';
import { UsageError } from './usage-error.ts';

const CONFIG_FILE = 'assay.config.ts';

type Values = Record<string, unknown>;

/** Values are parsed as those of flags. Throws UsageError for an unknown section or key, or an invalid value. */
export async function applyConfigFile(
  command: Command,
  name: string,
  environment: Environment,
  folder: string = process.cwd(),
): Promise<void> {
  const file = path.join(folder, CONFIG_FILE);
  if (!existsSync(file)) return;
  const values = await readSection(await load(file), command, name);
  const applied = isTargetGiven(command, environment) ? withoutTarget(values) : values;
  for (const [key, value] of Object.entries(applied)) {
    const source = command.getOptionValueSource(key);
    if (source === undefined || source === 'default') command.setOptionValueWithSource(key, value, 'config');
  }
}

const MAX_CONFIG_BYTES = 1024 * 1024;

async function load(file: string): Promise<unknown> {
  try {
    // Node would wait for a named pipe, and read a file of any size.
    readTextFile(file, MAX_CONFIG_BYTES);
  } catch (error) {
    throw new UsageError(`${CONFIG_FILE} ${describeFileError(error)}.`);
  }
  const restore = hideTypelessWarning();
  try {
    return ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
  } catch (error) {
    throw new UsageError(`${CONFIG_FILE} cannot be loaded: ${(error as Error).message}${hintFor(error)}`);
  } finally {
    restore();
  }
}

/** `npm init -y` sets CommonJS, in which `export` and `import` are mistakes. */
const hintFor = (error: unknown): string =>
  error instanceof SyntaxError && /^(?:Unexpected token 'export'|Cannot use import statement)/.test(error.message)
    ? '. Set "type": "module" in package.json, or write module.exports = { … } instead of export default.'
    : '';

/** Node warns about a TypeScript file in a project without "type": "module", which the file does not need. Returns the undo. */
function hideTypelessWarning(): () => void {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    const isTypeless = args.some((each) => each === TYPELESS || (each as { code?: unknown } | null)?.code === TYPELESS);
    if (!isTypeless) emitWarning(...args);
  };
  return () => void (process.emitWarning = emitWarning);
}

const TYPELESS = 'MODULE_TYPELESS_PACKAGE_JSON';

async function readSection(content: unknown, command: Command, name: string): Promise<Values> {
  if (content === undefined)
    throw new UsageError(`${CONFIG_FILE} has no default export. Expected: export default { ${name}: { … } }.`);
  // Loaded only if there is a config file: zod would slow the start of the mock.
  const [{ z }, { readFormat }, { configSchema, sectionSchema }] = await Promise.all([
    import('zod'),
    import('../../spec/formats/read-format.ts'),
    import('./config-schema.ts'),
  ]);
  const sections = commandNames.map((each) => [each, each === name ? sectionSchema(command) : z.unknown()]);
  try {
    const config = readFormat(configSchema(Object.fromEntries(sections) as Record<string, ZodType>), content);
    return ((config as Values)[name] ?? {}) as Values;
  } catch (error) {
    if (error instanceof InvalidInput) throw new UsageError(`${CONFIG_FILE}: ${error.message}`);
    throw error;
  }
}

const withoutTarget = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !targetKeys.some((each) => each === key)));
