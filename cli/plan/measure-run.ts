/** Runs the suites against a mock and counts what each rule sends: the source of measured-requests.json. */
import { mkdtempDisposableSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMock } from '../../mock/start-mock.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import { requirement, requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import { collectCases } from '../../suites/engine/collect-cases.ts';
import { sharedResources } from '../../suites/engine/locks.ts';
import type { SharedResource } from '../../suites/engine/locks.ts';
import { DEFAULT_RUNS, openRun } from '../../suites/engine/open-run.ts';
import type { Case } from '../../suites/engine/run-case.ts';
import { prefixOf } from '../../suites/engine/run-prefix.ts';
import type { Run } from '../../suites/engine/run.ts';
import { schedule } from '../../suites/engine/schedule.ts';
import type { FailedRequest } from '../../suites/target/client.ts';
import type { Exchange } from '../../suites/target/exchange.ts';
import type { LedgerLine } from '../../suites/target/ledger-lines.ts';
import { openTarget } from '../../suites/target/open-target.ts';
import type { Target } from '../../suites/target/target.ts';
import { cleanUp } from '../run/clean-up.ts';
import { countExchanges } from './count-exchanges.ts';
import type { ExchangeCounter } from './count-exchanges.ts';
import { countLedger } from './count-ledger.ts';
import { countSteps } from './count-steps.ts';
import type { Interval } from './count-steps.ts';
import type { MeasuredRule, MeasuredRun } from './measured-requests.ts';
import type { Counts } from './request-counts.ts';

const RUN_ID = 'measure';
/** Long enough that requests that can be in flight at the same time are. */
const LATENCY_MS = 20;
/** Rules that are measured alone at the same time. */
const WORKERS = 4;

/** What one rule did in its first, or in its second round. */
interface Part {
  readonly counter: ExchangeCounter;
  readonly intervals: Interval[];
}

interface Recorded {
  readonly first: Part;
  readonly later: Part;
}

interface Recording {
  readonly target: Target;
  /** Defaults to all. */
  readonly selected?: readonly RequirementId[];
  /** Whether to measure only the first round. Defaults to false. */
  readonly isQuick?: boolean;
  readonly onRule?: OnRule;
}

/** Called when a rule has been measured. */
type OnRule = (id: string) => void;

/** Without what rules need if they run alone. */
async function measureRun(onRule: OnRule): Promise<MeasuredRun> {
  await using mock = await startMock({ latency: { min: LATENCY_MS, max: LATENCY_MS } });
  const target = await openTarget({ ...mock.target, allow: 'destroy' }, {});
  const { capacities, byRule, ledger } = await record({ target, onRule });
  const rules = [...byRule].map(([id, { first, later }]): [string, MeasuredRule] => {
    const effects = countLedger(ledger.filter((line) => isOfRule(line, id)));
    const counts = { ...first.counter.counts(), ...effects };
    const steps = [countSteps(first.intervals), countSteps(later.intervals)] as const;
    return [id, { first: counts, later: later.counter.counts(), alone: {}, steps }];
  });
  return { capacities, rules: Object.fromEntries(rules) };
}

/**
 * The selected rules, each in a run of all rules (because rules share requests) and alone. `print` gets a line of progress
 * per rule and run.
 */
export async function measure(selected: readonly RequirementId[], print: (line: string) => void): Promise<MeasuredRun> {
  const progress = (what: string, total: number): OnRule => {
    let done = 0;
    return (id) => print(`${what}: ${(done += 1)} of ${total}, ${id}`);
  };
  const run = await measureRun(progress('in a run of all rules', requirements.length));
  const alone = await measureAlone(selected, progress('alone', selected.length));
  const rules = selected.toSorted().flatMap((id): [string, MeasuredRule][] => {
    const measured = run.rules[id];
    return measured === undefined ? [] : [[id, { ...measured, alone: differences(alone[id] ?? {}, measured.first) }]];
  });
  return { ...run, rules: Object.fromEntries(rules) };
}

/** The first round of each rule in a run of its own. */
export async function measureAlone(
  ids: readonly RequirementId[],
  onRule: OnRule = () => {},
): Promise<Record<string, Counts>> {
  const remaining = ids.values();
  const alone: Record<string, Counts> = {};
  const work = async (): Promise<void> => {
    await using mock = await startMock({});
    const target = await openTarget({ ...mock.target, allow: 'destroy' }, {});
    for (const id of remaining) {
      const isQuick = requirement(id).level === 'must';
      const { byRule, ledger } = await record({ target, selected: [id], isQuick });
      alone[id] = { ...byRule.get(id)?.first.counter.counts(), ...countLedger(ledger) };
      onRule(id);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return alone;
}

/** Those that are not zero. */
function differences(counts: Counts, subtracted: Counts): Counts {
  const keys = new Set([...Object.keys(counts), ...Object.keys(subtracted)]);
  const all = [...keys].map((key) => [key, (counts[key] ?? 0) - (subtracted[key] ?? 0)] as const);
  return Object.fromEntries(all.filter(([, difference]) => difference !== 0));
}

async function record({ target, selected, isQuick = false, onRule }: Recording) {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-measure-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  const run = openRun({
    isProcessShared: true,
    target,
    seed: 1,
    runs: DEFAULT_RUNS,
    runId: RUN_ID,
    isQuick,
    ledgerFile,
    ...(selected && { selected }),
  });
  const newPart = (): Part => ({ counter: countExchanges(target, prefixOf(RUN_ID)), intervals: [] });
  const byRule = new Map<string, Recorded>();
  const calls = new Map<string, number>();
  const capacities: Partial<Record<SharedResource, number>> = {};
  const partOf = (id: string): Part => {
    const parts = byRule.get(id) ?? { first: newPart(), later: newPart() };
    byRule.set(id, parts);
    return (calls.get(id) ?? 1) === 1 ? parts.first : parts.later;
  };
  const watch = (testCase: Case): Case => ({
    rule: testCase.rule,
    // The code of a case runs once per round.
    try(own) {
      const { id } = testCase.rule;
      calls.set(id, (calls.get(id) ?? 0) + 1);
      partOf(id);
      return testCase.try(
        withWiden(own, (name, capacity) => {
          capacities[name] = Math.max(capacity, capacities[name] ?? sharedResources[name].capacity);
        }),
      );
    },
  });
  const context = {
    ...run.context,
    record(exchange: Exchange | FailedRequest, _: number, { id }: Requirement) {
      const { counter, intervals } = partOf(id);
      counter.record(exchange);
      const end = performance.now();
      intervals.push({ start: end - exchange.durationMs, end });
    },
  };
  const cases = await collectCases(selected);
  try {
    const outcomes = await Promise.all(
      schedule([...cases.values()].map(watch), context)
        .entries()
        .map(async ([id, ended]) => {
          const outcome = await ended;
          onRule?.(id);
          return outcome;
        }),
    );
    assertMeasurable(outcomes);
  } finally {
    await run.close();
  }
  const ledger = readLedgerLines(ledgerFile);
  await cleanUp(target, ledgerFile, {
    record(exchange) {
      const id = ruleOfName(exchange.request.url);
      if (id !== undefined) byRule.get(id)?.first.counter.record(exchange);
    },
  });
  return { capacities, byRule, ledger };
}

/** A rule that fails sends other requests than one that passes. */
function assertMeasurable(outcomes: readonly CaseOutcome[]): void {
  const wrong = outcomes.filter(({ result: { verdict } }) => verdict === 'failed' || verdict === 'error');
  const described = wrong.map(({ result: { id, verdict, reason } }) => `${id}: ${verdict}: ${reason ?? ''}`);
  if (wrong.length > 0) throw new Error(`The run against the mock must pass first.\n${described.join('\n')}`);
}

/** A run that also reports which resources exist more than once. */
function withWiden(run: Run, onWiden: Run['widen']): Run {
  const widen: Run['widen'] = (name, capacity) => {
    onWiden(name, capacity);
    run.widen(name, capacity);
  };
  return Object.create(run, { widen: { value: widen } }) as Run;
}

const readLedgerLines = (file: string): LedgerLine[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LedgerLine)
    : [];

/** The rule whose case chose a name in the text: names contain its number. */
function ruleOfName(text: string): string | undefined {
  const [, number = ''] = new RegExp(`${prefixOf(RUN_ID)}([0-9a-z]+)-`).exec(text) ?? [];
  return requirements[parseInt(number, 36) - 1]?.id;
}

/** Responses are kept: only their number identifies the creation. */
const isOfRule = (line: LedgerLine, id: string): boolean =>
  'created' in line ? ruleOfName(line.name ?? '') === id : 'status' in line;
