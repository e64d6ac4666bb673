/** The command `assay`: finds the subcommand, loads only its code, and turns whatever it throws into an exit code. */
import { Command, CommanderError } from 'commander';
import { subcommands } from './commands/index.ts';

const ALLOWED = `Commands: ${Object.keys(subcommands).join(', ')}. See assay --help.\n`;

/** Gives the exit code: 2 for whatever the person who called has to set right. */
export async function main(words: readonly string[]): Promise<number> {
  const [name = '', second] = words;
  if (name === 'help' && second !== undefined) return main([second, '--help']);
  const listed = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (listed === undefined) return withoutSubcommand(words.slice(0, 1));
  const { runSubcommand } = await import('./command-line/run-command.ts');
  const { subcommand } = await listed.load();
  return runSubcommand(subcommand, name, listed.does, words.slice(1));
}

async function withoutSubcommand(words: readonly string[]): Promise<number> {
  const program = new Command('assay').description(
    'A conformance harness and a stateful mock for one documented interface.',
  );
  program
    .version(await packageVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text}${ALLOWED}`) });
  for (const [name, { does }] of Object.entries(subcommands)) program.command(name).description(does);
  try {
    await program.parseAsync(words.length === 0 ? ['--help'] : [...words], { from: 'user' });
    return 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}

async function packageVersion(): Promise<string> {
  const { assayVersion } = await import('./command-line/package-info.ts');
  return assayVersion;
}
