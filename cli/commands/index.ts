/** The commands of `assay`, by name. */
import { Command } from 'commander';
import type { CommandName } from '../command-line/command-names.ts';
import type { CommandModule } from '../command-line/run-command.ts';

interface ListedCommand {
  readonly description: string;
  readonly load: () => Promise<{ subcommand: CommandModule }>;
}

/** Each is loaded when it is called: `assay mock` must not wait for the code of `assay test`. */
export const commands: Readonly<Record<string, ListedCommand>> = {
  mock: {
    description: 'Starts the mock, or runs a command while a mock is up: assay mock -- COMMAND',
    load: () => import('./mock.ts'),
  },
  test: { description: 'Runs the conformance suites against a target', load: () => import('./test.ts') },
  init: {
    description: 'Probes a deployment, read-only, and writes a target file for it',
    load: () => import('./init.ts'),
  },
  doctor: {
    description: 'Checks a target file in seconds: addresses, credentials, roles, latency',
    load: () => import('./doctor.ts'),
  },
  sweep: {
    description: 'Removes what earlier runs created and could not remove',
    load: () => import('./sweep.ts'),
  },
  report: {
    description: 'Opens the latest report in the browser, or prints its path',
    load: () => import('./report.ts'),
  },
  merge: { description: 'Merges the reports of several shards', load: () => import('./merge.ts') },
  replay: { description: 'Reruns a failed case of a report', load: () => import('./replay.ts') },
  diff: { description: 'Compares two reports: verdicts and observations', load: () => import('./diff.ts') },
  lint: {
    description: 'Lints an OpenAPI document with the conventions of the interface',
    load: () => import('./lint.ts'),
  },
  proxy: {
    description: 'Forwards requests to a target and judges every exchange by the documents and the rules',
    load: () => import('./proxy.ts'),
  },
  judge: {
    description: 'Judges recorded traffic by every rule that it can decide; sends nothing',
    load: () => import('./judge.ts'),
  },
  compare: {
    description: 'Runs one sequence on two targets and reports the smallest differences',
    load: () => import('./compare.ts'),
  },
  world: {
    description: 'Writes a world file of what a deployment shows, read-only',
    load: () => import('./world.ts'),
  },
  rules: { description: 'Prints the catalogue of rules', load: () => import('./rules.ts') },
} satisfies Record<CommandName, ListedCommand>;

const newProgram = (): Command =>
  new Command('assay').description('A conformance suite and a stateful mock for one documented HTTP API.');

/** `assay` with its commands as names and descriptions, without their flags. */
export function createOverview(): Command {
  const program = newProgram();
  for (const [name, { description }] of Object.entries(commands)) program.command(name).description(description);
  return program;
}

/** The whole command line as commander data, for generated documentation and schemas. Loads the code of every command. */
export async function createProgram(): Promise<Command> {
  const { createCommand } = await import('../command-line/run-command.ts');
  const program = newProgram();
  for (const [name, { description, load }] of Object.entries(commands))
    program.addCommand(createCommand((await load()).subcommand, name, description));
  return program;
}
