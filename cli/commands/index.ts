/** The subcommands of `assay`, by name. */
import type { CommandName } from '../command-line/command-names.ts';
import type { Subcommand } from '../command-line/run-command.ts';

interface Listed {
  does: string;
  load(): Promise<{ subcommand: Subcommand }>;
}

/** Each in a file of its own, loaded when it is called: `assay mock` must not wait for the code of `assay test`. */
export const subcommands: Readonly<Record<string, Listed>> = {
  mock: {
    does: 'starts the mock, or runs a command beside one: assay mock -- COMMAND',
    load: () => import('./mock.ts'),
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
} satisfies Record<CommandName, Listed>;
