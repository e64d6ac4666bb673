/** Opens a run. The settings can be sent between threads, as vitest does. */
import { hostname } from 'node:os';
import type { OracleName } from '../../spec/oracle.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import { createElementTracker } from './exercised-elements.ts';
import { openExchangeLog, type ExchangesKept } from './exchange-log.ts';
import { createCursors } from './cursors.ts';
import { createResponseCache } from './response-cache.ts';
import { createOracle } from './oracle.ts';
import { createMissingOperations } from './missing-operations.ts';
import { createRunJudging } from './run-judging.ts';
import { prefixOf, unknownNameOf } from './run-prefix.ts';
import type { Bail, Replayed, RunContext } from './run.ts';
import { DEFAULT_BUDGET, openLedger } from '../target/ledger.ts';
import type { LedgerHeader } from '../target/ledger.ts';
import { processFacts } from '../target/process-facts.ts';
import { redactionOf } from '../target/redaction.ts';
import { createBlocks } from '../target/blocks.ts';
import { createRefusals } from '../target/refusals.ts';
import { ownAddress } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import { secureContextOf } from '../target/tls-settings.ts';
import { createTokens } from '../target/token.ts';
import { createTransport } from '../target/transport.ts';

export interface RunSettings {
  target: Target;
  seed: number;
  /** Inputs per property. */
  runs: number;
  /** Requests that are sent at the same time. Defaults to 16. */
  concurrency?: number;
  /** Whether to test only the first round of inputs of every rule. Defaults to false. */
  isQuick?: boolean;
  /** When to start no further rules. Defaults to never. */
  bail?: Bail;
  /** Milliseconds after which no further input is tested; a second later, cases are cut. Defaults to no limit. */
  timeMs?: number;
  /** For a complete response. Defaults to the patience, and to 60 if that is less. */
  deadlineSeconds?: number;
  /** Bytes of a response body. Defaults to 16 MiB. */
  maxBody?: number;
  /** Whether this process also does something else, so that its memory says nothing about the run. Defaults to false. */
  isProcessShared?: boolean;
  /** How long a case waits for a write to take effect. Defaults to 60. */
  patienceSeconds?: number;
  /** How many resources may be created that the target may not be able to remove. Defaults to 20. */
  budget?: number;
  runId: string;
  /** Whether other shards test the other rules. Defaults to false. */
  isShard?: boolean;
  /** Rules to test. Defaults to all. */
  selected?: readonly RequirementId[];
  /** The ledger of creations. Required if the run may write. */
  ledgerFile?: string;
  /** The file to which exchanges are written. Defaults to none. */
  exchangesFile?: string;
  /** Defaults to all. */
  exchangesKept?: ExchangesKept;
  /** A second validator for every response. Defaults to none. */
  oracle?: OracleName;
  /** The counterexample to replay. */
  replay?: Replayed;
}

export const DEFAULT_CONCURRENCY = 16;

/** Inputs per property. */
export const DEFAULT_RUNS = 24;

/** Longer than a deployment takes if its image already exists. */
export const DEFAULT_PATIENCE_SECONDS = 60;
const MIN_DEADLINE_SECONDS = 60;

export interface OpenRun {
  context: RunContext;
  /** Ends the run as if its time was up. Nothing more is sent. */
  stop: () => void;
  close: () => Promise<void>;
}

/** `reader` is the oracle of the settings, which is slow to load. Absent if they have none. */
export function openRun(settings: RunSettings, reader?: PrismReader): OpenRun {
  const { target, seed, runs, runId } = settings;
  const redaction = redactionOf(target);
  const { concurrency = DEFAULT_CONCURRENCY } = settings;
  const { maxBody, patienceSeconds = DEFAULT_PATIENCE_SECONDS } = settings;
  const deadlineSeconds = settings.deadlineSeconds ?? Math.max(MIN_DEADLINE_SECONDS, patienceSeconds);
  const transport = createTransport({
    rate: target.rate,
    concurrency,
    secureContext: secureContextOf(target.tls),
    ...(settings.isProcessShared === true && { mayKeep: () => true }),
    ...(maxBody !== undefined && { maxBody }),
    deadlineSeconds,
    timeoutSeconds: deadlineSeconds,
  });
  const budget = settings.budget ?? DEFAULT_BUDGET;
  const { ledgerFile } = settings;
  const ledger = ledgerFile === undefined ? undefined : openLedger(ledgerFile, describeRun(settings), { budget });
  const { exchangesFile, exchangesKept = 'all' } = settings;
  const log = exchangesFile === undefined ? undefined : openExchangeLog(exchangesFile, redaction, exchangesKept);
  const tokens = createTokens(target, transport, redaction.learn);
  let number = 0;
  const { timeMs = Infinity } = settings;
  const time = limitTime(timeMs, transport.refuse);
  const context: RunContext = {
    target,
    seed,
    runs,
    concurrency,
    ...(settings.isQuick === true && { maxRounds: 1 }),
    ...(settings.bail && { bail: settings.bail }),
    isTimeUp: time.isUp,
    cutOff: time.cutOff,
    isTimeLimited: timeMs < Infinity,
    patienceSeconds,
    runId,
    isShard: settings.isShard === true,
    transport,
    redaction,
    refusals: createRefusals(),
    blocks: createBlocks(transport, { tokens }),
    tokens,
    elements: createElementTracker(target.addresses),
    cursors: createCursors(),
    responses: createResponseCache(),
    nextNumber: () => (number += 1),
    ...(settings.replay === undefined && {
      judging: createRunJudging(target),
      missingOperations: createMissingOperations(target, unknownNameOf(prefixOf(runId))),
    }),
    shared: {},
    ...(log === undefined ? {} : { record: log.record, reuse: log.reuse, endCase: log.endCase }),
    ...(ledger === undefined ? {} : { ledger }),
    ...(reader === undefined ? {} : { oracle: createOracle(reader, target) }),
    ...(settings.replay === undefined ? {} : { replay: settings.replay }),
  };
  async function close(): Promise<void> {
    time.cancel();
    await transport.close();
    ledger?.close();
    log?.close();
  }
  const stop = (): void => time.end(transport.stop);
  return { context, stop, close };
}

/** For inputs that have begun when the time is up. */
const CUT_GRACE_MS = 1000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `refuse` is called a moment after the time is up, when `cutOff` has resolved: a case is cut before its requests fail. */
function limitTime(milliseconds: number, refuse: () => void) {
  const { promise: cutOff, resolve } = Promise.withResolvers<void>();
  let deadline = performance.now() + milliseconds;
  const cut = (then: () => void): void => {
    resolve();
    setImmediate(then);
  };
  const timer =
    milliseconds === Infinity
      ? undefined
      : setTimeout(cut, Math.min(milliseconds + CUT_GRACE_MS, MAX_TIMER_MS), refuse).unref();
  return {
    cutOff,
    isUp: () => performance.now() > deadline,
    /** Ends the time at once. */
    end(then: () => void): void {
      deadline = -Infinity;
      cut(then);
    },
    cancel: () => clearTimeout(timer),
  };
}

function describeRun({ runId, target }: RunSettings): LedgerHeader {
  const facts = processFacts(process.pid);
  return {
    run: runId,
    target: ownAddress(target),
    ...(target.workspace === undefined ? {} : { workspace: target.workspace }),
    pid: process.pid,
    host: hostname(),
    ...(facts === undefined ? {} : { processStart: facts.start }),
    startedAt: new Date().toISOString(),
  };
}
