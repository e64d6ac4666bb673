/** Compares two recordings of the same traffic: the nth request of a kind in one with the nth in the other. */
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import { SCHEMA_RULE } from '../../reports/report.ts';
import type { OperationId } from '../../spec/operations.ts';
import { classOfTargets, collectCauses } from '../../suites/compare/causes.ts';
import { compareResponses, type ComparedSide } from '../../suites/compare/compare-responses.ts';
import { countAlike, countCompared } from '../../suites/compare/compare-targets.ts';
import type { AlikeCounts, ComparedOperation, Comparison } from '../../suites/compare/compare-targets.ts';
import { neutralizer } from '../../suites/compare/neutral.ts';
import { VALID } from '../../suites/compare/twists.ts';
import { jsonIn } from '../../suites/json/json-in.ts';
import { openJudgeBook } from '../../suites/judge/judge-book.ts';
import { onlyStranger, readExchange, type ReadExchange } from '../judge/read-exchange.ts';
import { recordingTarget } from '../judge/recording-target.ts';
import { readRecording } from '../judge/recording/read-recording.ts';
import { trafficTargetOf } from '../judge/traffic-target.ts';
import { withUsageErrors } from '../command-line/find-target.ts';
import { comparisonReport, type ReportedSide } from './comparison-report.ts';

interface ReadRecording {
  readonly about: ReportedSide;
  readonly exchanges: readonly ReadExchange[];
  readonly brokenBy: (read: ReadExchange) => readonly string[];
  readonly sideOf: (read: ReadExchange) => ComparedSide;
  /** Which requests are the same. */
  readonly keyOf: (read: ReadExchange) => string;
  readonly skipped: ReadonlyMap<string, number>;
}

/** Throws UsageError if a file is no recording, or shows no address. */
export async function compareRecordings(
  files: { readonly a: string; readonly b: string },
  runId: string,
  say: (sentence: string) => void,
): Promise<ComparisonReport> {
  const startedAt = new Date().toISOString();
  const [a, b] = [await open(files.a, say), await open(files.b, say)];
  const comparison = compare(a, b);
  return comparisonReport(comparison, { a: a.about, b: b.about }, { id: runId, seed: 0, startedAt, complete: true });
}

function compare(a: ReadRecording, b: ReadRecording): Comparison {
  const causes = collectCauses(classOfTargets);
  const operations = new Map<OperationId, ComparedOperation>();
  const alike: AlikeCounts = new Map();
  const skipped = new Map([...a.skipped, ...b.skipped]);
  const waiting = Map.groupBy(b.exchanges, b.keyOf);
  let steps = 0;
  for (const one of a.exchanges) {
    const other = waiting.get(a.keyOf(one))?.shift();
    if (other === undefined) {
      skipped.set(
        'only the first recording has the request',
        (skipped.get('only the first recording has the request') ?? 0) + 1,
      );
      continue;
    }
    const { id } = one.seen.operation;
    const [brokenByA, brokenByB] = [a.brokenBy(one), b.brokenBy(other)];
    const sent = one.exchange.request.body === undefined ? undefined : jsonIn(one.exchange.request.body);
    const compared = compareResponses({ operation: id, sent, hasSameUsage: false }, a.sideOf(one), b.sideOf(other));
    const result = {
      ...compared,
      exchanges: { a: one.exchange, b: other.exchange },
      broken: {
        a: brokenByA.filter((rule) => !brokenByB.includes(rule)) as never[],
        b: brokenByB.filter((rule) => !brokenByA.includes(rule)) as never[],
      },
    };
    steps += 1;
    const isDifferent = causes.note(steps, { operation: id, context: VALID, caller: 'strongest' }, result);
    countCompared(operations, id, isDifferent);
    countAlike(alike, id, compared.alike);
  }
  const rest = [...waiting.values()].reduce((sum, list) => sum + list.length, 0);
  if (rest > 0) skipped.set('only the second recording has the request', rest);
  const differences = causes.list.map((cause) => {
    const { number, step, result } = cause.first;
    const sent = { a: [result.exchanges.a.request], b: [result.exchanges.b.request] };
    return { ...cause, shrunk: { steps: [[number, step]] as const, sent, result, isRepeated: false, requests: 0 } };
  });
  return { steps, skipped, unreachable: undefined, operations, alike, differences };
}

async function open(file: string, say: (sentence: string) => void): Promise<ReadRecording> {
  const recording = await withUsageErrors(() => readRecording(file));
  const traffic = trafficTargetOf(recordingTarget(file, recording, say), process.env);
  const { facts, about, secrets } = traffic;
  const book = openJudgeBook(facts);
  const skipped = new Map<string, number>(recording.skipped);
  const reading = { isOnlyStranger: onlyStranger(), isReserialized: recording.isReserialized };
  const exchanges = recording.exchanges.flatMap((each) => {
    const read = readExchange(each, traffic, reading);
    if (!('skipped' in read)) return [read];
    skipped.set(read.skipped, (skipped.get(read.skipped) ?? 0) + 1);
    return [];
  });
  const prefix = prefixIn(exchanges);
  const neutral = neutralizer({ ...facts.addresses, workspace: facts.workspace, account: facts.account }, prefix);
  return {
    about: { name: about.name, management: facts.addresses.management ?? '', redaction: secrets.redaction },
    exchanges,
    skipped,
    brokenBy: ({ seen, exchange }) => [
      ...book.see(seen).keys(),
      ...(exchange.shape.length > 0 && exchange.response.status < 300 ? [SCHEMA_RULE] : []),
    ],
    sideOf: ({ exchange }) => ({ response: exchange.response, prefix, neutral, account: facts.account }),
    keyOf: ({ seen, exchange }) => `${seen.operation.id} ${exchange.request.method} ${neutral(exchange.request.url)}`,
  };
}

/** That of the run that sent the most requests of the recording, if runs of assay sent any. */
function prefixIn(exchanges: readonly ReadExchange[]): string {
  const counts = new Map<string, number>();
  for (const { exchange } of exchanges) {
    const [found] = /assay-[a-z0-9]+-(?=[a-z0-9])/.exec(`${exchange.request.url} ${exchange.request.body ?? ''}`) ?? [];
    if (found !== undefined) counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? 'assay-';
}
