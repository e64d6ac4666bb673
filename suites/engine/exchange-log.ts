/** Writes the exchanges of a run to a file, one JSON line each, with secrets redacted and long bodies truncated. */
import { closeSync, futimesSync, openSync, rmSync, writeSync } from 'node:fs';
import { jsonText } from '../../spec/json-text.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { ExchangeRecord, RuleResult } from '../../spec/verdicts.ts';
import type { ShapeFinding } from '../../spec/shape-finding.ts';
import type { Reading } from './oracle.ts';
import type { FailedRequest } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Redaction } from '../target/redaction.ts';

/** Characters of a body, an address or a header value. Thousands of metrics pages would fill a disk. */
const MAX_LENGTH = 4096;

/** Which exchanges are written: all, those of failed rules and a few of the others, or none. Without any, the file is removed at the end. */
export type ExchangesKept = 'all' | 'failures' | 'none';

/** The time of the file shows others that the run is active (run-liveness.ts). */
const TOUCH_EVERY_MS = 60_000;

/** The newest exchanges of a failed rule, and of any other: as many as the report page contains. */
const MAX_OF_FAILED_RULE = 2000;
const MAX_OF_OTHER_RULE = 3;
/** The newest exchanges of other rules that a failed rule was judged by. */
const MAX_REUSED = 5;

export interface ExchangeLog {
  record: (exchange: Exchange | FailedRequest, number: number, rule: Requirement, reading?: Reading) => void;
  /** Notes that a rule was judged by an exchange of another rule; it is written again, with its number, if this rule fails. */
  reuse: (exchange: Exchange, rule: Requirement) => void;
  /** Writes what is kept of a rule. Must be called when its case has ended. */
  endCase: (rule: Requirement, verdict: RuleResult['verdict']) => void;
  close: () => void;
}

/** A serialized exchange. */
interface Line {
  readonly text: string;
  /** Findings are evidence for a rule that another case tests. */
  readonly hasFindings: boolean;
}

export function openExchangeLog(file: string, redaction: Redaction, kept: ExchangesKept): ExchangeLog {
  const descriptor = openSync(file, 'w', 0o600);
  /** Of cases that have not ended. */
  const pending = new Map<Requirement, Line[]>();
  /** With truncated bodies, so that large responses do not stay in memory. */
  const reused = new Map<Requirement, ExchangeRecord[]>();
  const records = new WeakMap<Exchange | FailedRequest, ExchangeRecord>();
  let touchedAt = Date.now();
  const touch = (): void => {
    if (Date.now() - touchedAt < TOUCH_EVERY_MS) return;
    touchedAt = Date.now();
    futimesSync(descriptor, new Date(), new Date());
  };
  const write = (lines: readonly Line[]): void => {
    if (lines.length > 0) writeSync(descriptor, lines.map(({ text }) => text).join(''));
  };
  const endCase: ExchangeLog['endCase'] = (rule, verdict) => {
    const lines = pending.get(rule) ?? [];
    pending.delete(rule);
    const isFailure = verdict === 'failed' || verdict === 'error';
    const evidence = isFailure ? (reused.get(rule) ?? []) : [];
    reused.delete(rule);
    write(evidence.map((record) => lineOf({ ...record, requirement: idOf(rule) })));
    const newest = new Set(isFailure ? lines : lines.slice(-MAX_OF_OTHER_RULE));
    write(lines.filter((line) => line.hasFindings || newest.has(line)));
  };
  return {
    record(exchange, number, rule, reading) {
      touch();
      if (kept === 'none') return;
      const found = reading && findingsIn(reading);
      const own = toRecord(exchange, number, rule, redaction);
      records.set(exchange, own);
      const record = { ...own, ...(found && { oracle: redaction.values(found) }) };
      const line = lineOf(record);
      if (kept === 'all') return write([line]);
      const lines = pending.get(rule) ?? [];
      pending.set(rule, lines);
      lines.push(line);
      if (lines.length > MAX_OF_FAILED_RULE) lines.shift();
    },
    reuse(exchange, rule) {
      const record = records.get(exchange);
      if (record === undefined) return;
      const before = (reused.get(rule) ?? []).filter((each) => each !== record);
      reused.set(rule, [...before, record].slice(-MAX_REUSED));
    },
    endCase,
    close() {
      for (const rule of new Set([...pending.keys(), ...reused.keys()])) endCase(rule, 'error');
      closeSync(descriptor);
      if (kept === 'none') rmSync(file, { force: true });
    },
  };
}

function lineOf(record: ExchangeRecord): Line {
  return {
    text: `${jsonText(record)}\n`,
    hasFindings: record.findings.length > 0 || (record.oracle ?? []).length > 0,
  };
}

/** Undefined if the body has no schema and no findings. */
function findingsIn(reading: Reading): readonly ShapeFinding[] | undefined {
  if ('leftOut' in reading) return undefined;
  return reading.promised === undefined && reading.prism.length === 0 ? undefined : reading.prism;
}

const idOf = ({ id }: Requirement) => id as NonNullable<ExchangeRecord['requirement']>;

/** The request must be redacted. `rule`: undefined for an exchange of no rule. `maxLength`: characters of a body. */
export function toRecord(
  exchange: Exchange | FailedRequest,
  number: number,
  rule: Requirement | undefined,
  redaction: Redaction,
  maxLength = MAX_LENGTH,
): ExchangeRecord {
  const { request, durationMs } = exchange;
  const response = 'response' in exchange ? exchange.response : undefined;
  const findings = 'shape' in exchange ? exchange.shape.map(({ at, says }) => ({ at, says })) : [];
  return {
    number,
    ...(rule === undefined ? {} : { requirement: idOf(rule) }),
    ...(exchange.operation === undefined ? {} : { operation: exchange.operation }),
    ...(exchange.credential === undefined ? {} : { credential: exchange.credential }),
    request: {
      method: request.method,
      url: truncate(request.url),
      headers: withLowerCaseNames(request.headers),
      body: request.body === undefined ? null : redactAndTruncate(request.body, redaction, maxLength),
    },
    answer:
      response === undefined
        ? null
        : {
            status: response.status,
            headers: withLowerCaseNames(redaction.deep(response.headers)),
            body: response.text === '' ? null : redactAndTruncate(response.text, redaction, maxLength),
          },
    ...('failure' in exchange ? { failure: exchange.failure } : {}),
    ...(exchange.sentAt !== undefined && { startedAt: exchange.sentAt }),
    durationMs: Math.round(durationMs * 10) / 10,
    findings: redaction.values(findings),
  };
}

/** Truncates before and after redaction, so that a secret at the boundary is redacted completely. */
function redactAndTruncate(text: string, redaction: Redaction, maxLength: number): string {
  const { maxSpellingLength } = redaction;
  const clean = redaction.text(text.slice(0, maxLength + maxSpellingLength));
  if (text.length <= maxLength) return clean;
  // A part of a secret may be at the end, and placeholders are shorter than what they replace.
  const isCut = text.length > maxLength + maxSpellingLength;
  const end = isCut ? Math.max(0, clean.length - maxSpellingLength) : clean.length;
  return `${clean.slice(0, Math.min(maxLength, end))}… (${text.length} characters in all)`;
}

/** Of text that is already redacted. */
function truncate(text: string): string {
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}… (${text.length} characters in all)`;
}

function withLowerCaseNames(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.map(truncate) : truncate(value),
    ]),
  );
}
