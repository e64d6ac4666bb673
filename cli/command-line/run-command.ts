/** Runs one subcommand: flags, then the options file under them, then the work; every refusal is exit code 2. */
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import type { Option } from 'commander';
import { redactAddresses } from '../../spec/formats/secrets.ts';
import { BadUsage, BadValue } from './usage-error.ts';
import { notEmpty } from './flag-values.ts';
import { applyOptionsFile } from './config-file.ts';

export interface Subcommand {
  /** Adds its flags and arguments. */
  define(command: Command): void;
  /** What stands behind `--` is a command to start; otherwise nothing may stand there. */
  readonly takesCommand?: true;
  /** Gives the exit code. `words` are what stood behind `--`, `positional` the arguments in the order of their definition. */
  run(
    options: Record<string, unknown>,
    words: readonly string[],
    positional: readonly (string | string[])[],
  ): Promise<number>;
}

export async function runSubcommand(
  subcommand: Subcommand,
  name: string,
  does: string,
  words: readonly string[],
): Promise<number> {
  const command = new Command(name).description(does).exitOverride().showSuggestionAfterError();
  command.allowExcessArguments(false);
  command.configureOutput({ outputError: (text, write) => write(refusal(text, command)) });
  command.configureHelp({ commandUsage: () => `assay ${name} ${command.usage()}` });
  subcommand.define(command);
  for (const option of command.options) if (!option.isBoolean()) nameInRefusals(option);
  try {
    const [flags, behind] = splitAtDashes(words);
    command.parse(flags, { from: 'user' });
    if (behind !== undefined) refuseUseless(behind, subcommand, name);
    await applyOptionsFile(command, name, process.env);
    return await subcommand.run(command.opts(), behind ?? [], command.processedArgs as (string | string[])[]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof BadUsage)) throw error;
    process.stderr.write(`assay ${name}: ${redactAddresses(error.message)}\n`);
    return 2;
  }
}

/** What stands before `--`, and what behind it; undefined where there is none. */
function splitAtDashes(words: readonly string[]): [string[], string[]?] {
  const dashes = words.indexOf('--');
  return dashes === -1 ? [[...words]] : [words.slice(0, dashes), words.slice(dashes + 1)];
}

function refuseUseless(behind: readonly string[], { takesCommand }: Subcommand, name: string): void {
  if (takesCommand !== true) throw new BadUsage(`nothing may stand behind --. See assay ${name} --help.`);
  if (behind.length === 0) throw new BadUsage(`a command must stand behind --, as in assay ${name} -- npx assay test.`);
}

/** Commander itself would tell a bad value twice. A value that nothing else reads is a text that is not empty. */
function nameInRefusals(option: Option): void {
  const read: (value: string, previous: never) => unknown = option.parseArg ?? notEmpty;
  option.argParser<unknown>((value, previous) => {
    try {
      return read(value, previous as never);
    } catch (error) {
      if (!(error instanceof InvalidArgumentError)) throw error;
      throw new BadValue(option.long ?? option.flags, error.message);
    }
  });
}

/** What commander says, with the right form of options under one that is unknown; its value may be a secret. */
function refusal(text: string, command: Command): string {
  const [, unknown] = /^(error: unknown option '[^'=]*)/.exec(text) ?? [];
  if (unknown === undefined) return redactAddresses(`${text}${seeHelp(command)}`);
  const suggestion = /\n\(Did you mean .*\?\)/.exec(text)?.[0] ?? '';
  const allowed = command.options.map(({ flags }) => flags).join(', ');
  return `${unknown}'${suggestion}\nAllowed: ${allowed}. ${seeHelp(command)}`;
}

const seeHelp = (command: Command): string => `See assay ${command.name()} --help.\n`;
