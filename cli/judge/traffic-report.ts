/** The report on judged traffic: that of `assay test`, without what only a run has. */
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import { writeActionsOutput } from '../../reports/actions.ts';
import { exitCodeOf } from '../../reports/failure-causes.ts';
import { displayFolder } from '../../reports/replay-command.ts';
import { buildReport, type RunRecord } from '../../reports/report.ts';
import { writeReport } from '../../reports/write-report.ts';
import { jsonText } from '../../spec/json-text.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { ExchangeRecord, KnownFailure, Report, RunFacts, TargetFacts } from '../../spec/verdicts.ts';
import { assayVersion } from '../command-line/package-info.ts';
import { EXCHANGES_FILE } from '../run/report-folder.ts';
import type { TrafficJudge } from './traffic-judge.ts';

export interface AboutTraffic {
  readonly runId: string;
  readonly startedAt: string;
  readonly target: TargetFacts;
  /** As the user named them. */
  readonly recordings: readonly string[];
  readonly selected?: readonly RequirementId[] | undefined;
  readonly knownFailures?: readonly KnownFailure[] | undefined;
}

export interface TrafficReport {
  readonly report: Report;
  readonly record: RunRecord;
}

export function trafficReport({ facts, outcomes }: TrafficJudge, about: AboutTraffic): TrafficReport {
  const { selected, knownFailures } = about;
  const warnings = [...facts.errors];
  const skipped = [...facts.skipped].map(([reason, count]) => ({ reason, count }));
  const run: RunFacts = {
    id: about.runId,
    seed: 0,
    runs: 0,
    startedAt: about.startedAt,
    endedAt: new Date().toISOString(),
    assay: assayVersion,
    shard: null,
    complete: true,
    stoppedBy: null,
    judged: { recordings: [...about.recordings], exchanges: facts.exchanges, skipped },
    ...(warnings.length > 0 && { warnings }),
  };
  const record: RunRecord = {
    run,
    target: about.target,
    outcomes: outcomes(),
    ...(selected && { selected }),
    ...(knownFailures && { knownFailures }),
  };
  return { report: buildReport(record), record };
}

/** As of `assay test`; also 3 if assay could not judge an exchange. */
export const trafficExitCode = ({ report }: TrafficReport): 0 | 1 | 3 =>
  exitCodeOf(report) || (report.run.warnings === undefined ? 0 : 3);

/** Writes the files beside the exchanges. Returns a sentence. */
export async function writeTrafficReport({ report, record }: TrafficReport, folder: string): Promise<string> {
  await writeReport(report, record, folder);
  writeActionsOutput(report, folder, process.env, process.stdout);
  return `The report is in ${displayFolder(folder)}.`;
}

export interface RecordFile {
  readonly write: (record: ExchangeRecord) => void;
  readonly close: () => void;
}

/** Overwrites the file. */
export function openRecordFile(file: string): RecordFile {
  const descriptor = openSync(file, 'w', 0o600);
  return {
    write: (record) => void writeSync(descriptor, `${jsonText(record)}\n`),
    close: () => closeSync(descriptor),
  };
}

/** For the exchanges that break a rule. */
export const openEvidence = (folder: string): RecordFile => openRecordFile(path.join(folder, EXCHANGES_FILE));
