/** The flags of `assay mock`. */
import { InvalidArgumentError, Option } from 'commander';
import { BRAND_FORM } from '../../spec/brand.ts';
import { nearest } from '../../spec/nearest.ts';
import { parseInstant } from '../../spec/rfc3339.ts';
import type { WorldFile } from '../../fixtures/worlds/world-file.ts';
import type { Latency } from '../../mock/wrap/latency.ts';
import { UnprotectedHostError } from '../../mock/server/control/access.ts';
import { ProfileError } from '../../mock/profile/profile-error.ts';
import { WorldFileError } from '../../mock/world/load.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { appendValue, oneOf, integerBetween } from '../command-line/flag-values.ts';
import { isListenError } from '../command-line/lifetime.ts';
import { serveMock } from '../mock/serve-mock.ts';
import type { ServeOptions } from '../mock/serve-mock.ts';
import type { CommandModule } from '../command-line/run-command.ts';

interface Flags extends Omit<ServeOptions, 'command' | 'world' | 'profile'> {
  world?: string;
  profile?: string;
  controlOrigin?: string[];
  listDeviations?: boolean;
}

export const subcommand: CommandModule = {
  define(command) {
    command
      .usage('[options] [-- COMMAND…]')
      .addHelpText('after', '\nCOMMAND is started beside the mock, with ASSAY_TARGET set to a target file for it.')
      .option('--port <n>', 'where to listen; 0 picks a free one', integerBetween(0, 65_535), 4010)
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--control-token <secret>', 'what /_mock asks for; needed where --host is no loopback address')
      .option('--control-origin <origin>', 'lets the pages of this origin call /_mock; may be repeated', oneMoreOrigin)
      .option('--world <file>', 'starts with the world of this file, YAML or JSON')
      .option('--seed <n>', 'decides everything that is made up', integerBetween(0, 2 ** 32 - 1))
      .option('--now <time>', 'where the virtual clock starts, as 2026-11-01T00:00:00Z', instant)
      .addOption(new Option('--clock <mode>', 'running or frozen').argParser(oneOf(['running', 'frozen'])))
      .option('--brand <word>', 'the word in the header names', brand)
      .addOption(new Option('--latency <ms[-ms]>', 'holds every answer back').argParser(latency))
      .addOption(
        new Option('--sandbox-urls <form>', 'host or path: which address of a sandbox is given out').argParser(
          oneOf(['host', 'path']),
        ),
      )
      .option('--only-documented', 'serves only operations that the interface shows')
      .option('--profile <file>', 'answers as the target of this observations.json does where the interface is silent')
      .option('--deviate <id>', 'puts a deliberate fault in; may be repeated', appendValue)
      .option('--list-deviations', 'prints the deliberate faults there are')
      .option('--json', 'prints one line of JSON when it listens');
  },
  takesCommand: true,
  async run(options, words) {
    const { listDeviations, world, controlOrigin, ...rest } = options as Flags;
    const flags = controlOrigin === undefined ? rest : { ...rest, controlOrigins: controlOrigin };
    const { deviations } = await knownDeviations(listDeviations === true || flags.deviate !== undefined);
    if (listDeviations === true) return print(deviations);
    const unknown = flags.deviate?.find((id) => !Object.hasOwn(deviations, id));
    if (unknown !== undefined) throw new UsageError(`--deviate "${unknown}" is unknown.${nearTo(unknown, deviations)}`);
    return served({ ...flags, command: words }, world);
  },
};

/** A world file that does not hold together is its author's to set right; the default world is ours. */
async function served(command: ServeOptions, worldFile: string | undefined): Promise<number> {
  // Loaded only for a world file: it brings Ajv and a YAML parser.
  const world = worldFile === undefined ? {} : { world: await readWorld(worldFile) };
  try {
    return await serveMock({ ...command, ...world });
  } catch (error) {
    if (error instanceof WorldFileError && worldFile !== undefined)
      throw new UsageError(`--world ${worldFile}: ${error.message}`);
    if (error instanceof ProfileError) throw new UsageError(`--profile ${error.message}`);
    if (error instanceof UnprotectedHostError || isListenError(error)) throw new UsageError(error.message);
    throw error;
  }
}

async function readWorld(file: string): Promise<WorldFile> {
  const { readWorldFile } = await import('../../mock/world/read-world-file.ts');
  try {
    return await readWorldFile(file);
  } catch (error) {
    throw error instanceof WorldFileError ? new UsageError(`--world: ${error.message}`) : error;
  }
}

type Known = Readonly<Record<string, { what: string } | undefined>>;

/** Loaded only where they are asked for: a mock without faults starts faster. */
async function knownDeviations(wanted: boolean): Promise<{ deviations: Known }> {
  return wanted ? await import('../../mock/deviations/index.ts') : { deviations: {} };
}

function nearTo(id: string, deviations: Known): string {
  const near = nearest(id, Object.keys(deviations));
  return `${near.length === 0 ? '' : ` Near: ${near.join(', ')}.`} assay mock --list-deviations shows what there is.`;
}

function print(deviations: Known): number {
  for (const [id, deviation] of Object.entries(deviations))
    process.stdout.write(`${id}\n    ${deviation?.what ?? ''}\n`);
  return 0;
}

function instant(value: string): number {
  const milliseconds = parseInstant(value);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError('an RFC 3339 timestamp such as 2026-11-01T00:00:00Z');
}

/** "50" or "20-80", milliseconds. */
function latency(value: string): Latency {
  const [, least, most = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(value) ?? [];
  if (least !== undefined && Number(least) <= Number(most)) return { min: Number(least), max: Number(most) };
  throw new InvalidArgumentError('milliseconds such as 50, or a range such as 20-80');
}

function oneMoreOrigin(value: string, before?: string[]): string[] {
  if (!URL.canParse(value) || new URL(value).origin !== value)
    throw new InvalidArgumentError('an origin such as http://localhost:5173');
  return appendValue(value, before);
}

function brand(value: string): string {
  if (BRAND_FORM.test(value)) return value;
  throw new InvalidArgumentError('one word of letters and digits that begins with a letter');
}
