/** `assay proxy`: forwards requests to a target and judges every exchange by the documents and the rules. */
import type { Command } from 'commander';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { withoutLastSegment } from '../../suites/target/open-target.ts';
import { secureContextOf } from '../../suites/target/tls-settings.ts';
import { escapeReferences } from '../../suites/target/escape-references.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { integerBetween } from '../command-line/flag-values.ts';
import { isListenError, waitForStopSignal } from '../command-line/lifetime.ts';
import { runBeside } from '../command-line/run-beside.ts';
import { adminOnlyOf } from '../proxy/admin-only.ts';
import { proxyBanner } from '../proxy/banner.ts';
import { requirePrismNode } from '../command-line/prism-node.ts';
import { describeSelfCheckFailure } from '../../spec/prism/self-check-failure.ts';
import { openJudging } from '../judge/open-judging.ts';
import { outputLine } from '../../reports/workflow-command.ts';
import { trafficExitCode } from '../judge/traffic-report.ts';
import type { ProxyOptions, RunningProxy } from '../proxy/start-proxy.ts';
import type { WorldRecording } from '../world/record-world.ts';
import { startProxy, targetOfProxy } from '../proxy/start-proxy.ts';
import { exitCodeOf, newTally, summaryOf } from '../proxy/tally.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { defineTargetFlags } from '../command-line/target-flags.ts';
import { findTargetFile } from '../command-line/find-target.ts';

interface Flags extends Partial<ProxyOptions> {
  target?: string;
  baseUrl?: string;
  host: string;
  json?: boolean;
  report?: string;
  record?: string;
}

const FIRST_PORT = 4020;

export const subcommand: CommandModule = {
  examples: ['assay proxy --target assay.target.yaml', 'assay proxy --target assay.target.yaml -- npm run e2e'],
  define(command: Command) {
    defineTargetFlags(command)
      .usage('[options] [-- COMMAND…]')
      .addHelpText(
        'after',
        '\nCOMMAND runs while the proxy is up, with ASSAY_TARGET set to a target file for the proxy.',
      )
      .option(
        '--port <n>',
        `port for the first address of the target; the others use the following ports; 0 picks free ones (default: ${FIRST_PORT}, with COMMAND 0)`,
        integerBetween(0, 65_535),
      )
      .option('--host <address>', 'address to listen on', '127.0.0.1')
      .option('--report <dir>', 'writes the report on the rules to this folder')
      .option(
        '--record <file>',
        'writes the exchanges to this file, without secrets; assay judge reads it. If it ends in .yaml or .yml: writes a world file of what the responses show, without overwriting one',
      )
      .option('--json', 'prints one line of JSON when the proxy is ready, and everything else to standard error');
  },
  takesCommand: true,
  async run(options, words) {
    const flags = options as unknown as Flags;
    requirePrismNode('the proxy');
    const file = await findTargetFile(flags, process.env);
    const { record, ...others } = flags;
    const world = record !== undefined && isYaml(record) ? await openWorldRecording(record, file) : undefined;
    // Loaded here, so that a mistyped flag is reported without waiting for Prism.
    const { readByPrism } = await import('../../spec/prism/reader.ts');
    const reader = await readByPrism(file.brand);
    const selfCheckFailure = describeSelfCheckFailure(reader.canaries);
    if (selfCheckFailure !== undefined) {
      process.stderr.write(`assay proxy: ${selfCheckFailure}\n`);
      return 3;
    }
    const tally = newTally();
    const out = flags.json === true || words.length > 0 ? process.stderr : process.stdout;
    const print = (text: string): void => void out.write(text);
    const judging = await openJudging(file, world === undefined ? flags : others, out, world?.see);
    const { secrets } = judging.target;
    const addresses = { host: withoutLastSegment(file.addresses.management), ...file.addresses };
    const port = flags.port ?? (words.length > 0 ? 0 : FIRST_PORT);
    const watching = { reader, secrets, adminOnly: adminOnlyOf(file, process.env), tally, print };
    const settings = { port, host: flags.host, secureContext: secureContextOf(file.tls), observer: judging.watcher };
    const proxy = await listening(() => startProxy(addresses, settings, watching));
    const stop = words.length > 0 ? undefined : waitForStopSignal(); // Before the proxy is announced as ready.
    print(proxyBanner(addresses, proxy.addresses, reader.canaries.sent));
    const target = escapeReferences(targetOfProxy(file, proxy));
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ ready: true, target })}\n`);
    const code = await closeAfter(proxy, stop?.then(() => 0) ?? runBeside(target, words));
    print(summaryOf(tally));
    const judged = await judging.end();
    for (const line of world?.write() ?? []) out.write(outputLine(line, out));
    const own = exitCodeOf(tally);
    const isViolated = own === 1 || judged.report.summary.failed > 0;
    return isViolated ? 1 : code || own || trafficExitCode(judged);
  },
};

const isYaml = (file: string): boolean => /\.ya?ml$/i.test(file);

async function openWorldRecording(file: string, target: TargetFile): Promise<WorldRecording> {
  const { recordWorld } = await import('../world/record-world.ts');
  return recordWorld(file, target);
}

async function closeAfter(proxy: RunningProxy, end: Promise<number>): Promise<number> {
  try {
    return await end;
  } finally {
    await proxy.close();
  }
}

/** An address that cannot be listened on is a usage error. */
async function listening(start: () => Promise<RunningProxy>): Promise<RunningProxy> {
  try {
    return await start();
  } catch (error) {
    throw isListenError(error) ? new UsageError(error.message) : error;
  }
}
