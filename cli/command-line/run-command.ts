/** Runs one command: parses flags, applies the config file, then does the work. Usage errors are exit code 2. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Option } from 'commander';
import { fitTerminal } from '../../reports/fit-terminal.ts';
import { outputLines } from '../../reports/workflow-command.ts';
import { redactAddresses } from '../../spec/formats/secrets.ts';
import { applyConfigFile } from './config-file.ts';
import { nonEmptyString } from './flag-values.ts';
import { InvalidValueError, UsageError } from './usage-error.ts';

/** What a file of `commands/` exports as `subcommand`. */
export interface CommandModule {
  /** Adds the flags, arguments and examples. */
  define(command: Command): void;
  /** Printed at the end of --help. */
  readonly examples: readonly string[];
  /** Whether a command to start may follow `--`; otherwise nothing may. */
  readonly takesCommand?: true;
  /** Returns the exit code. `words`: what followed `--`. `positional`: the arguments, in the order of their definition. */
  run(
    options: Record<string, unknown>,
    words: readonly string[],
    positional: readonly (string | string[])[],
  ): Promise<number>;
}

/** The command as commander data, with all its flags. */
export function createCommand(module: CommandModule, name: string, description: string): Command {
  const command = new Command(name).description(description).exitOverride().showSuggestionAfterError();
  command.allowExcessArguments(false);
  command.configureOutput({
    writeOut: (text) => process.stdout.write(fitTerminal(text, process.stdout)),
    outputError: (text, write) => write(outputLines(formatError(text, command), process.stderr)),
  });
  command.configureHelp({ commandUsage: () => `assay ${name} ${command.usage()}` });
  module.define(command);
  command.addHelpText('after', `\nExamples:\n${module.examples.map((line) => `  ${line}\n`).join('')}`);
  for (const option of command.options) if (!option.isBoolean()) nameFlagInErrors(option);
  return command;
}

/** Returns the exit code. */
export async function runCommand(
  module: CommandModule,
  name: string,
  description: string,
  words: readonly string[],
): Promise<number> {
  const command = createCommand(module, name, description);
  // The options of a command to start are not those of assay, even if its `--` is missing.
  command.passThroughOptions(module.takesCommand === true);
  try {
    const [flags, following] = splitAtDashes(words);
    ignoreEmptyVariables(command, process.env);
    command.parse(flags, { from: 'user' });
    if (following !== undefined) requireCommand(following, module, name);
    await applyConfigFile(command, name, process.env);
    return await module.run(command.opts(), following ?? [], command.processedArgs as (string | string[])[]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof UsageError)) throw error;
    // Files written by somebody else may be quoted in it.
    process.stderr.write(outputLines(`assay ${name}: ${redactAddresses(error.message)}`, process.stderr));
    return 2;
  }
}

/** An empty environment variable of a flag counts as not set. */
function ignoreEmptyVariables({ options }: Command, environment: NodeJS.ProcessEnv): void {
  for (const option of options)
    if (option.envVar !== undefined && environment[option.envVar] === '') delete option.envVar;
}

/** What precedes `--` and what follows it; undefined if there is no `--`. */
function splitAtDashes(words: readonly string[]): [string[], string[]?] {
  const dashes = words.indexOf('--');
  return dashes === -1 ? [[...words]] : [words.slice(0, dashes), words.slice(dashes + 1)];
}

function requireCommand(following: readonly string[], { takesCommand }: CommandModule, name: string): void {
  if (takesCommand !== true) throw new UsageError(`Nothing may follow --. See assay ${name} --help.`);
  if (following.length === 0)
    throw new UsageError(`A command must follow --, such as: assay ${name} -- npx --no assay test.`);
}

/** Commander would print the value twice. A value without a parser of its own is a non-empty string. */
function nameFlagInErrors(option: Option): void {
  const parse: (value: string, previous: never) => unknown = option.parseArg ?? nonEmptyString;
  option.argParser<unknown>((value, previous) => {
    try {
      return parse(value, previous as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new InvalidValueError(option.long ?? option.flags, value, error.message);
    }
  });
}

/** Commander's message; for an unknown option without its value, which may be a secret, but with the allowed ones. */
function formatError(text: string, command: Command): string {
  const [, unknown] = /^(error: unknown option '[^'=]*)/.exec(text) ?? [];
  if (unknown === undefined) return redactAddresses(`${text}${hintOnArguments(text, command)}${helpHint(command)}`);
  const suggestion = /\n\(Did you mean .*\?\)/.exec(text)?.[0] ?? '';
  const allowed = command.options.map(({ flags }) => flags).join(', ');
  return `${unknown}'${suggestion}\nAllowed: ${allowed}. ${helpHint(command)}`;
}

const TARGET_FLAGS: readonly (string | undefined)[] = ['--target', '--base-url'];

/** For a command to start, a target file or an address among the arguments. */
function hintOnArguments(text: string, command: Command): string {
  if (!text.startsWith('error: too many arguments')) return '';
  if (command.usage().includes('-- COMMAND')) return 'A command to start follows --. ';
  const flags = command.options.filter(({ long }) => TARGET_FLAGS.includes(long)).map((option) => option.flags);
  return flags.length === 0 ? '' : `A target is passed with ${flags.join(' or ')}. `;
}

const helpHint = (command: Command): string => `See assay ${command.name()} --help.\n`;
