/** Runs one subcommand: flags, then the options file under them, then the work; every refusal is exit code 2. */
import { Command, CommanderError } from 'commander';
import { BadUsage } from './bad-usage.ts';
import { applyOptionsFile } from './options-file.ts';

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
  command.configureOutput({ outputError: (text, write) => write(`${text}${allowedFlags(command)}`) });
  command.configureHelp({ commandUsage: () => `assay ${name} ${command.usage()}` });
  subcommand.define(command);
  try {
    const [flags, behind] = splitAtDashes(words);
    command.parse(flags, { from: 'user' });
    if (behind !== undefined) refuseUseless(behind, subcommand, name);
    await applyOptionsFile(command, name);
    return await subcommand.run(command.opts(), behind ?? [], command.processedArgs as (string | string[])[]);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof BadUsage)) throw error;
    process.stderr.write(`assay ${name}: ${error.message}\n`);
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

/** The right form, under every refusal of commander's. */
function allowedFlags(command: Command): string {
  return `Allowed: ${command.options.map(({ flags }) => flags).join(', ')}. See assay ${command.name()} --help.\n`;
}
