/** The form of report.json and shard.json, as what reads them back demands it; more keys may be there. */
import { z } from 'zod';
import { allowLevels } from './target-values.ts';
import { blames, leftOutReasons, oracles } from '../oracle.ts';
import { knownFailureStates, REPORT_FORM, verdicts } from '../verdicts.ts';

const levels = ['must', 'observe'] as const;
const count = z.int().nonnegative();
const instant = z.iso.datetime();

const run = z.looseObject({
  id: z.string().min(1),
  seed: z.int(),
  runs: count,
  startedAt: instant,
  endedAt: instant,
  assay: z.string(),
  shard: z
    .string()
    .regex(/^\d+\/\d+$/, 'I/N, as 1/4')
    .nullable(),
  complete: z.boolean(),
  targetFile: z.string().optional(),
  baseUrl: z.string().optional(),
  strict: z.literal(true).optional(),
});

const target = z.looseObject({
  name: z.string(),
  addresses: z.record(z.string(), z.string()),
  brand: z.string(),
  allow: z.enum(allowLevels),
});

const counterexample = z.looseObject({
  input: z.unknown(),
  seed: z.int(),
  path: z.string(),
  property: z.int().positive().optional(),
  curl: z.string(),
  expected: z.string(),
  actual: z.string(),
});

/** Another version may have other rules. */
const ruleId = z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'an id as area.topic.what-conforming-looks-like');

const result = z.looseObject({
  id: ruleId,
  level: z.enum(levels),
  rule: z.string(),
  verdict: z.enum(verdicts),
  reason: z.string().optional(),
  durationMs: z.number().nonnegative(),
  exchanges: count,
  counterexample: counterexample.optional(),
});

const observation = z.looseObject({ id: ruleId, what: z.string(), saw: z.string() });

const knownFailure = z.looseObject({
  id: ruleId,
  reason: z.string(),
  ticket: z.string().optional(),
  expires: z.string().optional(),
});

const canaries = z.looseObject({
  sent: count,
  caught: count,
  missed: z.array(z.string()),
  nothingToSay: z.array(z.string()),
});
const leftOut = z.partialRecord(z.enum(leftOutReasons), count);
const finding = z.looseObject({ at: z.string(), says: z.string() });
const oracleExample = z.looseObject({
  requirement: ruleId,
  curl: z.string(),
  ours: z.array(finding),
  prism: z.array(finding),
});

const oracle = z.looseObject({
  name: z.enum(oracles),
  canaries,
  checked: count,
  requests: count,
  nothingToSay: count,
  leftOut,
  violations: z.array(
    z.looseObject({ requirement: ruleId, rules: z.array(ruleId).optional(), count, example: oracleExample }),
  ),
  disagreements: z.array(
    z.looseObject({ blame: z.enum(blames), says: z.string(), count, example: oracleExample.optional() }),
  ),
});

const oracleTally = z.looseObject({
  canaries: canaries.optional(),
  checked: count,
  requests: count,
  nothingToSay: count,
  leftOut,
  misfits: z.array(
    z.looseObject({
      of: z.enum(['answer', 'request']),
      readers: z.enum(['both', 'ours', 'prism']),
      operation: z.string(),
      status: z.int(),
      promised: ruleId.optional(),
      rules: z.array(ruleId),
      count,
      example: oracleExample,
    }),
  ),
});

export const reportSchema = z.looseObject({
  report: z.literal(REPORT_FORM),
  run,
  target,
  summary: z.looseObject({
    passed: count,
    failed: count,
    knownFailure: count,
    notTried: count,
    observed: count,
    error: count,
    exchanges: count,
  }),
  requirements: z.array(result),
  observations: z.array(observation),
  knownFailures: z.array(knownFailure.extend({ state: z.enum(knownFailureStates) })).optional(),
  oracle: oracle.optional(),
  left: z.array(z.string()).optional(),
});

export const shardSchema = z.looseObject({
  run,
  target,
  outcomes: z.array(
    z.looseObject({
      result,
      observations: z.array(observation),
      shapes: z.looseObject({ fitted: count, misfitted: count, misfits: z.array(counterexample) }),
      oracle: oracleTally.optional(),
    }),
  ),
  selected: z.array(ruleId).optional(),
  troubles: z.record(z.string(), z.string()).optional(),
  ofShard: z.array(ruleId).optional(),
  knownFailures: z.array(knownFailure).optional(),
  oracle: z.enum(oracles).optional(),
  left: z.array(z.string()).optional(),
});
