/** Entry point of `assay`: finds the command, loads only its code and returns the exit code. */
import { CommanderError } from 'commander';
import { fitTerminal } from '../reports/fit-terminal.ts';
import { commands, createOverview } from './commands/index.ts';

const COMMAND_LIST = `Commands: ${Object.keys(commands).join(', ')}. See assay --help.\n`;

/** Returns the exit code; 2 for a usage error. */
export async function main(words: readonly string[]): Promise<number> {
  const [name = '', second] = words;
  if (name === 'help' && second !== undefined) return main([second, '--help']);
  const listed = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (listed === undefined) return runWithoutCommand(words.slice(0, 1));
  const { runCommand } = await import('./command-line/run-command.ts');
  const { subcommand } = await listed.load();
  return runCommand(subcommand, name, listed.description, words.slice(1));
}

async function runWithoutCommand(words: readonly string[]): Promise<number> {
  const { assayVersion } = await import('./command-line/package-info.ts');
  const program = createOverview()
    .version(assayVersion)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(fitTerminal(text, process.stdout)),
      outputError: (text, write) => write(fitTerminal(`${text}${COMMAND_LIST}`, process.stderr)),
    });
  try {
    await program.parseAsync(words.length === 0 ? ['--help'] : [...words], { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}
