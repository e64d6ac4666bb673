/** Compares two targets online: opens a run on each, sends the sequence, and cleans both up. */
import { closeSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import { jsonText } from '../../spec/json-text.ts';
import { operationsNamed } from '../../spec/operation-names.ts';
import { sweepCommand } from '../../reports/replay-command.ts';
import { changeableAgents } from '../../suites/compare/changeable-agents.ts';
import { compareTargets, areOneTarget, type Comparison } from '../../suites/compare/compare-targets.ts';
import { VALID } from '../../suites/compare/twists.ts';
import { openSide, type Side, type SideOptions } from '../../suites/compare/side.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { toRecord } from '../../suites/engine/exchange-log.ts';
import { openRun, type OpenRun } from '../../suites/engine/open-run.ts';
import type { Target } from '../../suites/target/target.ts';
import { connectTarget } from '../command-line/find-target.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { isVersionRefusal } from '../../suites/kit/versions/with-version.ts';
import { cleanUp, describeNextStep } from '../run/clean-up.ts';
import { prepareReportFolder } from '../run/prepare-report-folder.ts';
import { EXCHANGES_FILE, LEDGER_FILE } from '../run/report-folder.ts';
import { comparisonReport } from './comparison-report.ts';

export interface NamedTarget {
  readonly file: TargetFile;
  /** How commands name it. Absent for a target that ends with the command. */
  readonly name?: string;
  /** The version to request, if two versions of one target are compared. */
  readonly version?: string;
}

export interface CompareOptions {
  readonly runId: string;
  readonly folder: string;
  readonly seed: number;
  readonly requests: number;
  readonly patienceSeconds: number;
  readonly budget: number;
  /** Milliseconds. */
  readonly time?: number;
  /** Operations to send. Defaults to all. */
  readonly only?: readonly string[];
  readonly say: (sentence: string) => void;
}

/** Differences whose sequences are shrunk: each takes up to 60 requests. */
export const SHRINK_COUNT = 3;
/** Characters of a body, which offline comparisons read. */
const MAX_RECORDED = 2 ** 18;

export async function compareOnline(
  given: { readonly a: NamedTarget; readonly b: NamedTarget },
  options: CompareOptions,
  interrupted: AbortSignal,
): Promise<ComparisonReport> {
  await collectCases(); // Registers the judgements.
  const startedAt = new Date().toISOString();
  const end = performance.now() + (options.time ?? Infinity);
  const [a, b] = await Promise.all([
    openOne(given.a, 'a', options, interrupted),
    openOne(given.b, 'b', options, interrupted),
  ]);
  const isOver = (): boolean => interrupted.aborted || performance.now() > end;
  try {
    const isOneTarget = areOneTarget(a.target, b.target);
    await Promise.all([a.requireVersion(), b.requireVersion()]);
    const begun = [a.begin(isOneTarget), b.begin(isOneTarget)] as const;
    await Promise.allSettled(begun); // Neither ends while the other one begins.
    const [sideA, sideB] = await Promise.all(begun);
    const comparison = await compareTargets(
      { a: sideA, b: sideB },
      { ...options, isOver, shrinkCount: SHRINK_COUNT, ...(options.only && { isSelected: selector(options.only) }) },
    );
    if (comparison.unreachable !== undefined) options.say(`A target did not respond: ${comparison.unreachable}`);
    return reportOf(comparison, startedAt);
  } finally {
    await Promise.all([a.end(), b.end()]);
  }

  function reportOf(comparison: Comparison, started: string): ComparisonReport {
    const complete = !interrupted.aborted && comparison.unreachable === undefined;
    const { runId: id, seed } = options;
    return comparisonReport(comparison, { a: a.about, b: b.about }, { id, seed, startedAt: started, complete });
  }
}

function selector(globs: readonly string[]) {
  const ids = new Set(globs.flatMap(operationsNamed));
  return ({ id }: { readonly id: string }): boolean => ids.has(id as never);
}

async function openOne(
  { file, name, version }: NamedTarget,
  letter: 'a' | 'b',
  { folder: parent, runId, seed, budget, patienceSeconds, say }: CompareOptions,
  interrupted: AbortSignal,
) {
  const target: Target = await connectTarget(file, process.env, { interrupted });
  const folder = prepareReportFolder(path.join(parent, letter));
  const ledgerFile = path.join(folder, LEDGER_FILE);
  const run: OpenRun = openRun({
    target,
    seed,
    runs: 1,
    runId: `${runId}${letter}`,
    budget,
    patienceSeconds,
    isProcessShared: true,
    ...(target.allow !== 'read' && { ledgerFile }),
  });
  interrupted.addEventListener('abort', run.stop);
  const { redaction } = run.context;
  const exchanges = openSync(path.join(folder, EXCHANGES_FILE), 'w', 0o600);
  return {
    target,
    about: { name: target.name, management: target.addresses.management ?? '', redaction, ...(version && { version }) },
    /** Throws UsageError if the target refuses the version. Writes nothing. */
    async requireVersion(): Promise<void> {
      if (version === undefined) return;
      const { send } = openSide(run.context, { version });
      const read = { operation: 'listAccounts', context: VALID, caller: 'strongest' } as const;
      const exchange = await send(read, { own: {}, nameAt: String, responses: new Map() });
      if (!isVersionRefusal(exchange)) return;
      const { message } = exchange.response.json as { readonly message?: unknown };
      const why = typeof message === 'string' ? `: ${redaction.text(message)}` : '.';
      throw new UsageError(`--versions: ${target.name} refuses the version "${version}"${why}`);
    },
    async begin(isOneTarget: boolean): Promise<Side> {
      const more = await changeableAgents(run.context, { isOneTarget });
      const options: SideOptions = {
        more,
        ...(version && { version }),
        onExchange(exchange, number) {
          writeSync(exchanges, `${jsonText(toRecord(exchange, number, undefined, redaction, MAX_RECORDED))}\n`);
        },
      };
      return openSide(run.context, options);
    },
    async end(): Promise<void> {
      interrupted.removeEventListener('abort', run.stop);
      await run.close();
      closeSync(exchanges);
      const cleaned = await cleanUp(target, ledgerFile, { interrupted });
      if (name === undefined) return;
      for (const line of cleaned.left) say(`${target.name}: ${line}`);
      if (cleaned.left.length > 0) say(describeNextStep(cleaned, sweepCommand({ targetFile: name }, folder)));
    },
  };
}
