/** The command `assay`: finds the subcommand, loads only its code, and turns whatever it throws into an exit code. */
import { Command, CommanderError } from 'commander';
import type { Subcommand } from './subcommand.ts';

interface Listed {
  does: string;
  load(): Promise<{ subcommand: Subcommand }>;
}

/** Each in a file of its own, loaded when it is called: `assay mock` must not wait for the code of `assay test`. */
const subcommands: Record<string, Listed> = {
  mock: {
    does: 'starts the mock, or runs a command beside one: assay mock -- COMMAND',
    load: () => import('./mock-command.ts'),
  },
  test: { does: 'runs the suites against a target', load: () => import('./test.ts') },
  sweep: { does: 'undoes what earlier runs left at a target', load: () => import('./sweep.ts') },
  merge: { does: 'makes one report out of those of several shards', load: () => import('./merge.ts') },
  replay: { does: 'runs a failed case of a report again', load: () => import('./replay.ts') },
  diff: { does: 'compares two reports: verdicts, observations, timings', load: () => import('./diff.ts') },
  lint: { does: 'lints an OpenAPI document with the conventions of the interface', load: () => import('./lint.ts') },
  proxy: {
    does: 'passes requests on to a target, and tells what is off the contract: assay proxy -- COMMAND',
    load: () => import('./proxy.ts'),
  },
  rules: { does: 'prints the catalogue of rules', load: () => import('./rules.ts') },
};

const ALLOWED = `Commands: ${Object.keys(subcommands).join(', ')}. See assay --help.\n`;

/** Gives the exit code: 2 for whatever the person who called has to set right. */
export async function main(words: readonly string[]): Promise<number> {
  const [name = '', second] = words;
  if (name === 'help' && second !== undefined) return main([second, '--help']);
  const listed = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined;
  if (listed === undefined) return withoutSubcommand(words.slice(0, 1));
  const { runSubcommand } = await import('./subcommand.ts');
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
  const { assayVersion } = await import('./package-info.ts');
  return assayVersion;
}
