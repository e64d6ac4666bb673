/** Runs one subcommand: flags, then the options file under them, then the work; every refusal is exit code 2. */
import { Command, CommanderError } from 'commander';
import { BadUsage } from './bad-usage.ts';
import { applyOptionsFile } from './options-file.ts';

export interface Subcommand {
  /** Adds its flags and arguments. */
  define(command: Command): void;
  /** Gives the exit code. `words` are what stood behind the flags. */
  run(options: Record<string, unknown>, words: readonly string[]): Promise<number>;
}

export async function runSubcommand(
  subcommand: Subcommand,
  name: string,
  does: string,
  words: readonly string[],
): Promise<number> {
  const command = new Command(name).description(does).exitOverride().showSuggestionAfterError();
  command.configureOutput({ outputError: (text, write) => write(`${text}${allowedFlags(command)}`) });
  command.configureHelp({ commandUsage: () => `assay ${name} ${command.usage()}` });
  subcommand.define(command);
  try {
    command.parse([...words], { from: 'user' });
    await applyOptionsFile(command, name);
    return await subcommand.run(command.opts(), command.args);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof BadUsage)) throw error;
    process.stderr.write(`assay ${name}: ${error.message}\n`);
    return 2;
  }
}

/** The right form, under every refusal of commander's. */
function allowedFlags(command: Command): string {
  return `Allowed: ${command.options.map(({ flags }) => flags).join(', ')}. See assay ${command.name()} --help.\n`;
}
