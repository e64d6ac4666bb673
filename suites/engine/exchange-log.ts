/** Writes exchanges to a file, one JSON line each, with secrets redacted and long bodies truncated. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { jsonText } from '../../spec/json-text.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { ExchangeRecord } from '../../spec/verdicts.ts';
import type { ShapeFinding } from '../../spec/shape-finding.ts';
import type { Reading } from './oracle.ts';
import type { FailedRequest } from '../target/client.ts';
import type { Exchange } from '../target/exchange.ts';
import type { Redaction } from '../target/redaction.ts';

/** Characters. Thousands of metrics pages would fill a disk. */
const MAX_BODY_LENGTH = 4096;

export interface ExchangeLog {
  record: (exchange: Exchange | FailedRequest, number: number, rule: Requirement, reading?: Reading) => void;
  close: () => void;
}

export function openExchangeLog(file: string, redaction: Redaction): ExchangeLog {
  const descriptor = openSync(file, 'w', 0o600);
  return {
    record(exchange, number, rule, reading) {
      const found = reading && findingsIn(reading);
      const line = { ...toRecord(exchange, number, rule, redaction), ...(found && { oracle: redaction.deep(found) }) };
      writeSync(descriptor, `${jsonText(line)}\n`);
    },
    close: () => closeSync(descriptor),
  };
}

/** Undefined if the body has no schema and no findings. */
function findingsIn(reading: Reading): readonly ShapeFinding[] | undefined {
  if ('leftOut' in reading) return undefined;
  return reading.promised === undefined && reading.prism.length === 0 ? undefined : reading.prism;
}

function toRecord(
  exchange: Exchange | FailedRequest,
  number: number,
  rule: Requirement,
  redaction: Redaction,
): ExchangeRecord {
  const { request, durationMs } = exchange;
  const response = 'response' in exchange ? exchange.response : undefined;
  const findings = 'shape' in exchange ? exchange.shape.map(({ at, says }) => ({ at, says })) : [];
  return {
    number,
    requirement: rule.id as NonNullable<ExchangeRecord['requirement']>,
    ...(exchange.operation === undefined ? {} : { operation: exchange.operation }),
    ...(exchange.credential === undefined ? {} : { credential: exchange.credential }),
    request: {
      method: request.method,
      url: request.url,
      headers: withLowerCaseNames(request.headers),
      body: request.body === undefined ? null : redactAndTruncate(request.body, redaction),
    },
    answer:
      response === undefined
        ? null
        : {
            status: response.status,
            headers: redaction.deep(response.headers),
            body: response.text === '' ? null : redactAndTruncate(response.text, redaction),
          },
    ...('failure' in exchange ? { failure: exchange.failure } : {}),
    durationMs: Math.round(durationMs * 10) / 10,
    findings: redaction.deep(findings),
  };
}

/** Truncates before and after redaction, so that a secret at the boundary is redacted completely. */
function redactAndTruncate(text: string, redaction: Redaction): string {
  const clean = redaction.text(text.slice(0, MAX_BODY_LENGTH + redaction.maxSpellingLength));
  return text.length <= MAX_BODY_LENGTH
    ? clean
    : `${clean.slice(0, MAX_BODY_LENGTH)}… (${text.length} characters in all)`;
}

function withLowerCaseNames(headers: Record<string, string | string[]>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
