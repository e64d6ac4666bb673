/** The flags of `assay mock`. */
import { InvalidArgumentError, Option } from 'commander';
import { BRAND_FORM } from '../../spec/brand.ts';
import { worldNames } from '../../spec/formats/world-names.ts';
import { didYouMean } from '../../spec/nearest.ts';
import { instantOf } from '../../mock/time/instant.ts';
import type { ReplayedTraffic } from '../../mock/pipeline/replay.ts';
import { MAX_LATENCY_MS, type Latency } from '../../mock/wrap/latency.ts';
import { UnprotectedHostError } from '../../mock/server/control/access.ts';
import { ProfileError } from '../../mock/profile/profile-error.ts';
import { StateFileError } from '../../mock/store/state-file-error.ts';
import { WorldFileError } from '../../mock/state/world-file-error.ts';
import { escapeControls } from '../../reports/printable.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { appendValue, oneOf, integerBetween } from '../command-line/flag-values.ts';
import { isListenError } from '../command-line/lifetime.ts';
import { readTls, type TlsFlags } from '../mock/read-tls.ts';
import { readWorld, requireWatchable } from '../mock/read-world.ts';
import { repeatFlags } from '../mock/repeat-flags.ts';
import { DEFAULT_PORT, serveMock } from '../mock/serve-mock.ts';
import { watchedFile } from '../mock/watch-file.ts';
import type { ServeOptions } from '../mock/serve-mock.ts';
import type { CommandModule } from '../command-line/run-command.ts';

interface Flags
  extends
    Omit<ServeOptions, 'command' | 'world' | 'watch' | 'tls' | 'profile' | 'replay' | 'deviate' | 'flags'>,
    TlsFlags {
  world?: string;
  watch?: boolean;
  profile?: string;
  replay?: string;
  controlOrigin?: string[];
  deviate?: string[];
  listDeviations?: boolean;
}

export const subcommand: CommandModule = {
  examples: [
    'assay mock',
    'assay mock --port 0 --seed 7 --json',
    'assay mock --upstream http://127.0.0.1:3000 --prefer upstream',
    'assay mock --world world.yaml --clock frozen --now 2026-11-01T00:00:00Z',
    'assay mock --world large --quiet',
    'assay mock --replay traffic.har',
    'assay mock --world world.yaml --watch',
    'assay mock -- npx --no assay test',
  ],
  define(command) {
    command
      .usage('[options] [-- COMMAND…]')
      .addHelpText(
        'after',
        `
Each request is logged on standard error, with the reason if it was refused.

COMMAND runs while the mock is up, with ASSAY_TARGET set to a target file for
the mock, and with ASSAY_MANAGEMENT_URL, ASSAY_HOST_URL, ASSAY_INFERENCE_URL,
ASSAY_SANDBOX_URL, ASSAY_API_KEY, ASSAY_ADMIN_TOKEN and ASSAY_WORKSPACE. Its
exit code is returned. ASSAY_SANDBOX_URL is not set if the world has no sandbox,
ASSAY_WORKSPACE if it has no workspace.`,
      )
      .option(
        '--port <n>',
        `port to listen on; 0 picks a free one (default: ${DEFAULT_PORT}, with COMMAND 0)`,
        integerBetween(0, 65_535),
      )
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .addOption(
        new Option(
          '--control-token <secret>',
          'token that /_mock requires; mandatory if --host is not a loopback address',
        ).env('ASSAY_CONTROL_TOKEN'),
      )
      .option('--control-origin <origin>', 'allows pages of this origin to call /_mock (repeatable)', appendOrigin)
      .option('--world <file|name>', `initial world: a world file, YAML or JSON, or ${worldNames.join(', ')}`)
      .option('--watch', 'loads the file of --world again when it changes')
      .option('--state <file>', 'keeps the state in this file; if it exists, --world, --seed and --now are refused')
      .option('--upstream <url>', 'forwards requests to unknown paths to this server', address)
      .addOption(
        new Option(
          '--prefer <server>',
          'upstream: the server of --upstream gets every request, and the mock answers what it has no operation for',
        ).argParser(oneOf(['upstream'])),
      )
      .option('--public-url <url>', 'address of the mock for its clients, such as that of a proxy', address)
      .option('--seed <n>', 'seed of all generated values', integerBetween(0, 2 ** 32 - 1))
      .option('--now <time>', 'initial virtual time, such as 2026-11-01T00:00:00Z', instant)
      .addOption(
        new Option('--clock <mode>', 'whether virtual time passes: running or frozen').argParser(
          oneOf(['running', 'frozen']),
        ),
      )
      .option('--brand <word>', 'word in the header names, such as X-Svc-Workspace', brand)
      .option('--tls-cert <file>', 'serves HTTPS with this certificate (PEM); needs --tls-key')
      .option('--tls-key <file>', 'private key of --tls-cert, unencrypted (PEM)')
      .addOption(
        new Option('--latency <ms[-ms]>', 'delay of every response: milliseconds or a range, such as 20-80').argParser(
          latency,
        ),
      )
      .addOption(
        new Option('--sandbox-urls <form>', 'form of the sandbox URLs in responses: host or path').argParser(
          oneOf(['host', 'path']),
        ),
      )
      .option('--only-documented', 'serves only the documented operations')
      .option('--profile <file>', 'behaves like the target of this observations.json where the documents are silent')
      .option(
        '--replay <recording>',
        'answers recorded requests with their recorded responses: HAR (also gzip or zip), or exchanges.ndjson of assay',
      )
      .option('--deviate <id>', 'enables a deviation, a deliberate violation of a rule (repeatable)', appendValue)
      .option('--list-deviations', 'prints all deviations')
      .option('--quiet', 'does not log requests; the default while COMMAND runs')
      .option('--no-quiet', 'logs requests also while COMMAND runs')
      .option('--json', 'prints one line of JSON when the mock is ready');
  },
  takesCommand: true,
  async run(options, words) {
    const { listDeviations, world, watch, tlsCert, tlsKey, controlOrigin, replay, ...rest } = options as Flags;
    const flags = controlOrigin === undefined ? rest : { ...rest, controlOrigins: controlOrigin };
    if (flags.prefer !== undefined && flags.upstream === undefined)
      throw new UsageError('--prefer upstream needs --upstream URL, the server that answers first.');
    const { deviations } = await knownDeviations(listDeviations === true || flags.deviate !== undefined);
    if (listDeviations === true) return print(deviations);
    const unknown = flags.deviate?.find((id) => !Object.hasOwn(deviations, id));
    if (unknown !== undefined)
      throw new UsageError(
        `Unknown deviation "${unknown}".${didYouMean(unknown, Object.keys(deviations))} See assay mock --list-deviations.`,
      );
    const watched = watch === true ? { watch: watchedFile(requireWatchable(world, flags.state)) } : {};
    const tls = readTls({ ...(tlsCert && { tlsCert }), ...(tlsKey && { tlsKey }) });
    return serve(
      {
        ...flags,
        ...(replay !== undefined && { replay: await readRecorded(replay) }),
        ...watched,
        ...(tls && { tls }),
        ...(tlsCert && { certificateFile: tlsCert }),
        command: words,
        flags: repeatFlags(options),
      },
      world,
    );
  },
};

/** An inconsistent world file is a usage error; an inconsistent default world is a bug. */
async function serve(command: ServeOptions, worldFile: string | undefined): Promise<number> {
  const world = worldFile === undefined ? {} : { world: await readWorld(worldFile) };
  try {
    return await serveMock({ ...command, ...world });
  } catch (error) {
    if (error instanceof WorldFileError && worldFile !== undefined)
      throw new UsageError(`--world ${worldFile}: ${error.message}`);
    if (error instanceof StateFileError) throw new UsageError(`--state ${error.message}`);
    if (error instanceof ProfileError) throw new UsageError(`--profile ${error.message}`);
    if (error instanceof UnprotectedHostError || isListenError(error)) throw new UsageError(error.message);
    throw error;
  }
}

/** Loaded only on demand: a mock without a recording starts faster. Prints what is replayed. */
async function readRecorded(file: string): Promise<ReplayedTraffic> {
  const { readReplay } = await import('../judge/read-replay.ts');
  const { replay, sentence } = await readReplay(file);
  process.stderr.write(`${escapeControls(sentence)}\n`);
  return replay;
}

type Known = Readonly<Record<string, { what: string } | undefined>>;

/** Loaded only on demand: a mock without deviations starts faster. */
async function knownDeviations(isNeeded: boolean): Promise<{ deviations: Known }> {
  return isNeeded ? await import('../../mock/deviations/index.ts') : { deviations: {} };
}

function print(deviations: Known): number {
  for (const [id, deviation] of Object.entries(deviations))
    process.stdout.write(`${id}\n    ${deviation?.what ?? ''}\n`);
  return 0;
}

function instant(value: string): number {
  const milliseconds = instantOf(value);
  if (milliseconds !== undefined) return milliseconds;
  throw new InvalidArgumentError('an RFC 3339 timestamp such as 2026-11-01T00:00:00Z, from the years 1970 to 9999');
}

/** "50" or "20-80", milliseconds. */
function latency(value: string): Latency {
  const [, first, second = first] = /^(\d+)(?:-(\d+))?$/.exec(value) ?? [];
  const [min, max] = [Number(first), Number(second)];
  if (min <= max && max <= MAX_LATENCY_MS) return { min, max };
  throw new InvalidArgumentError(`milliseconds such as 50, or a range such as 20-80, at most ${MAX_LATENCY_MS}`);
}

function address(value: string): string {
  const url = URL.parse(value);
  const isPlain = url !== null && `${url.username}${url.password}` === '' && !/[?#]/.test(value);
  if (isPlain && /^https?:$/.test(url.protocol)) return value;
  throw new InvalidArgumentError('an address that begins with http:// or https://, without credentials, ? and #');
}

function appendOrigin(value: string, before?: string[]): string[] {
  if (!URL.canParse(value) || new URL(value).origin !== value)
    throw new InvalidArgumentError('an origin such as http://localhost:5173');
  return appendValue(value, before);
}

function brand(value: string): string {
  if (BRAND_FORM.test(value)) return value;
  throw new InvalidArgumentError('one word of letters and digits that begins with a letter');
}
