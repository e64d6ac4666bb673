/** For tests and measurements: writes the page of a run with every verdict and any number of exchanges. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { OracleTally } from '../../spec/oracle.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { ExchangeRecord, Report, RuleResult } from '../../spec/verdicts.ts';
import { buildReport } from '../report.ts';
import { writePage } from './write-page.ts';

export const FAILED_RULE = 'metrics.resolution.picked-by-window';
export const HOSTILE_RULE = 'errors.management.body-shape';
export const OBSERVED_RULE = 'versions.precedence.before-credential';
export const KNOWN_FAILURE_RULE = 'metrics.group-by.at-most-three';
export const METRICS_RULE = 'metrics.sums.total-is-sum-of-groups';

/** Hostile text that a target may send. */
export const HOSTILE = `</script><script>hacked=1</script><img src=x onerror="hacked=1"><!-- \u001b[31m \u202egnp.exe ' & ]]>`;

/** The request of every case except that of METRICS_RULE. */
export const METRICS_URL =
  'http://127.0.0.1:1/v0/accounts/acc/metrics?startTime=2026-11-14T00%3A00%3A00Z&endTime=2026-11-21T00%3A00%3A00Z';

/** Sent by METRICS_RULE's case; also violates KNOWN. */
const GROUPED_URL = `${METRICS_URL}&groupBy=workspace`;

const ownResults: { readonly [Id in RequirementId]?: Partial<RuleResult> } = {
  [FAILED_RULE]: {
    verdict: 'failed',
    reason: 'hourly, expected resolution daily',
    counterexample: {
      input: { days: 7 },
      seed: 7,
      path: '16',
      property: 1,
      curl: `curl -sS -i '${METRICS_URL}' -H 'Accept: application/json'`,
      expected: 'resolution daily',
      actual: 'hourly',
      waitedSeconds: 55,
    },
  },
  [HOSTILE_RULE]: {
    verdict: 'failed',
    reason: HOSTILE,
    counterexample: { input: HOSTILE, seed: 7, path: '', curl: '', expected: 'error: a string', actual: HOSTILE },
  },
  [KNOWN_FAILURE_RULE]: {
    verdict: 'failed',
    reason: 'status 200, expected status 400',
    counterexample: {
      input: {},
      seed: 7,
      path: '',
      curl: `curl -sS -i '${GROUPED_URL}' -H 'Accept: application/json'`,
      expected: 'status 400',
      actual: 'status 200',
    },
  },
  'auth.metrics.bearer-required': { verdict: 'error', reason: 'no answer: the connection broke' },
  'images.cleanup.answer-shape': {
    verdict: 'not-tried',
    reason: 'destroy: --allow destroy, to remove what the run did not create',
  },
};

/** Writes exchanges.ndjson and report.html into the folder; returns the path of the page. */
export async function writeSampleRun(folder: string, exchangesOfFailed = 3): Promise<string> {
  mkdirSync(folder, { recursive: true });
  const report = sampleReport();
  const records = report.requirements.flatMap(({ id }) =>
    Array.from({ length: id === FAILED_RULE ? exchangesOfFailed : 2 }, () => id),
  );
  const lines = records.map((id, index) => JSON.stringify(exchangeOf(id, index + 1)));
  writeFileSync(path.join(folder, 'exchanges.ndjson'), `${lines.join('\n')}\n`);
  await writePage(report, folder);
  return path.join(folder, 'report.html');
}

export const sampleReport = (): Report =>
  buildReport({
    run: {
      id: 'sample',
      seed: 7,
      runs: 20,
      startedAt: '2026-11-21T20:28:00Z',
      endedAt: '2026-11-21T20:28:42Z',
      assay: '0.1.0',
      shard: null,
      complete: true,
    },
    target: {
      name: `staging ${HOSTILE}`,
      addresses: { management: 'http://127.0.0.1:1/v0' },
      brand: 'Svc',
      allow: 'write',
    },
    outcomes: requirements.map(outcomeOf),
    oracle: 'prism',
    knownFailures: [{ id: KNOWN_FAILURE_RULE, reason: HOSTILE, ticket: 'T-1' }],
  });

function outcomeOf({ id, level, rule }: (typeof requirements)[number], place: number): CaseOutcome {
  const verdict = level === 'observe' ? 'observed' : 'passed';
  const own: Partial<RuleResult> = ownResults[id] ?? {};
  const saw = {
    id: OBSERVED_RULE,
    what: 'listAccounts with an unlisted version',
    saw: HOSTILE,
    value: HOSTILE,
  } as const;
  return {
    result: { id, level, rule, verdict, durationMs: place, exchanges: 2, ...own },
    observations: id === OBSERVED_RULE ? [saw] : [],
    shapes: { fitted: 1, misfitted: 0, misfits: [] },
    exercised: [],
    ...(id === FAILED_RULE && { oracle: oracleTally }),
  };
}

/** One response that both readers find invalid, like the failed rule. */
const oracleTally: OracleTally = {
  canaries: { sent: 5, caught: 5, missed: [], nothingToSay: ['readTree 200'] },
  checked: 20,
  requests: 3,
  nothingToSay: 4,
  leftOut: { 'a stream': 2 },
  misfits: [
    {
      of: 'answer',
      readers: 'both',
      operation: 'getAccountMetrics',
      status: 200,
      promised: 'resources.shapes.fit-the-schema',
      rules: ['metrics.answer.shape-and-echo'],
      count: 2,
      example: {
        requirement: FAILED_RULE,
        curl: `curl -sS -i '${METRICS_URL}' -H 'X-Hostile: ${HOSTILE}'`,
        ours: [{ at: `/${HOSTILE}`, says: HOSTILE }],
        prism: [{ at: `/${HOSTILE}`, says: HOSTILE }],
      },
    },
  ],
};

function exchangeOf(id: RequirementId, number: number): ExchangeRecord {
  const url = id === METRICS_RULE ? GROUPED_URL : METRICS_URL;
  const body = id === HOSTILE_RULE ? JSON.stringify({ error: HOSTILE, [HOSTILE]: 1 }) : metricsBody();
  return {
    number,
    requirement: id,
    operation: 'getAccountMetrics',
    request: { method: 'GET', url, headers: { accept: 'application/json' }, body: null },
    answer: { status: 200, headers: { 'x-hostile': HOSTILE }, body },
    durationMs: 3,
    findings: id === HOSTILE_RULE ? [{ at: '/error', says: HOSTILE }] : [],
    ...(id === HOSTILE_RULE && { oracle: [{ at: '/error', says: HOSTILE }] }),
  };
}

const metricsBody = (): string =>
  JSON.stringify({
    resolution: 'hourly',
    summary: { totalCost: 6 },
    data: [
      {
        summary: { cost: 6 },
        timeseries: [1, 2, 3].map((cost, hour) => ({ timestamp: `2026-11-14T0${hour}:00:00Z`, cost })),
      },
    ],
    meta: { hasMore: false, nextCursor: '' },
  });
