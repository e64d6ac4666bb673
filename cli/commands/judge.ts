/** `assay judge`: judges recorded traffic by every rule that it can decide. Sends nothing. */
import path from 'node:path';
import { styleFor, terminalReport } from '../../reports/terminal.ts';
import { outputLine, withoutCommands } from '../../reports/workflow-command.ts';
import { counted } from '../../spec/counted.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { jsonText } from '../../spec/json-text.ts';
import { AREAS_DESCRIPTION, appendValue } from '../command-line/flag-values.ts';
import { findTargetFile, NoTargetError, withUsageErrors } from '../command-line/find-target.ts';
import { REPORTS_FOLDER } from '../command-line/reports-folder.ts';
import type { CommandModule } from '../command-line/run-command.ts';
import { foreignOrigins } from '../judge/find-target.ts';
import { recordingTarget } from '../judge/recording-target.ts';
import { readRecording } from '../judge/recording/read-recording.ts';
import { createTrafficJudge } from '../judge/traffic-judge.ts';
import { openEvidence, trafficExitCode, trafficReport, writeTrafficReport } from '../judge/traffic-report.ts';
import { trafficTargetOf } from '../judge/traffic-target.ts';
import { prepareReportFolder } from '../run/prepare-report-folder.ts';
import { readKnownFailures } from '../run/read-known-failures.ts';
import { newRunId } from '../run/run-id.ts';
import { selectRules } from '../run/select-rules.ts';

interface Flags {
  target?: string;
  report?: string;
  only?: string[];
  skip?: string[];
  knownFailures?: string;
  areas?: boolean;
  json?: boolean;
}

export const subcommand: CommandModule = {
  examples: [
    'assay judge traffic.har --target assay.target.yaml',
    'assay judge reports/out/RUN/exchanges.ndjson',
    "assay judge monday.har tuesday.har --target assay.target.yaml --only 'metrics.*'",
  ],
  define(command) {
    command
      .argument('<file...>', 'recordings: HAR (also gzip or zip), or exchanges.ndjson of assay')
      .option(
        '--target <file>',
        'target file, YAML or JSON, of the recorded deployment (default: ASSAY_TARGET, or the addresses that the recording shows)',
      )
      .option('--only <glob>', 'judges only these rules (repeatable)', appendValue)
      .option('--skip <glob>', 'skips these rules (repeatable)', appendValue)
      .option('--report <dir>', 'report folder (default: reports/out/RUN)')
      .option('--known-failures <file>', 'rules that may fail: a YAML or JSON list of id, reason, ticket, expires')
      .option('--areas', AREAS_DESCRIPTION)
      .option('--json', 'prints the report as JSON, and everything else to standard error');
  },
  async run(options, _, positional) {
    const flags = options as Flags;
    const startedAt = new Date().toISOString();
    const knownFailures = flags.knownFailures === undefined ? undefined : readKnownFailures(flags.knownFailures);
    const selected = selectRules(flags.only, flags.skip);
    const file = await givenTarget(flags);
    const out = flags.json === true ? process.stderr : process.stdout;
    const say = (sentence: string): void => void out.write(outputLine(sentence, out));
    const runId = newRunId();
    const folder = prepareReportFolder(flags.report ?? path.join(REPORTS_FOLDER, runId));
    // Loaded here, so that a mistyped flag is reported without waiting for the suites.
    const { collectCases } = await import('../../suites/engine/collect-cases.ts');
    await collectCases();
    const evidence = openEvidence(folder);
    const judge = createTrafficJudge({ ...(selected && { selected }), onEvidence: evidence.write });
    const recordings = positional.flat().map(String);
    let target: TargetFile | undefined = file;
    try {
      for (const each of recordings) {
        const recording = await withUsageErrors(() => readRecording(each));
        const own = file ?? recordingTarget(each, recording, say);
        target ??= own;
        for (const [reason, count] of recording.skipped) judge.skip(reason, count);
        const traffic = trafficTargetOf(own, process.env);
        const { see } = judge.openRecording(traffic, recording);
        for (const exchange of recording.exchanges) see(exchange);
        say(`${each}: ${counted(recording.exchanges.length, 'exchange')}, written by ${recording.writer}.`);
        const foreign = foreignOrigins(recording.exchanges, traffic.mounts);
        if (foreign !== undefined)
          say(`${each}: no request goes to an address of the target, but to ${foreign}. Check the target file.`);
      }
    } finally {
      evidence.close();
    }
    const { about } = trafficTargetOf(target!, process.env);
    const found = trafficReport(judge, { runId, startedAt, target: about, recordings, selected, knownFailures });
    const written = await writeTrafficReport(found, folder);
    const { report } = found;
    const text = terminalReport(report, styleFor(out), { folder, areas: flags.areas === true });
    out.write(`\n${withoutCommands(text)}`);
    if (flags.json === true) process.stdout.write(`${jsonText(report)}\n`);
    say(written);
    return trafficExitCode(found);
  },
};

/** Undefined if neither a flag nor the environment names a target. */
async function givenTarget({ target }: Flags): Promise<TargetFile | undefined> {
  try {
    return await findTargetFile(target === undefined ? {} : { target }, process.env);
  } catch (error) {
    if (error instanceof NoTargetError) return undefined;
    throw error;
  }
}
