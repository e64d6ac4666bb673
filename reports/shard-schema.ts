/** The format of shard.json: the run record of one shard, from which `assay merge` builds a report. */
import { z } from 'zod';
import { count } from '../spec/formats/parts.ts';
import {
  canariesSchema,
  counterexampleSchema,
  uncheckedCountsSchema,
  listedFailureSchema,
  observationSchema,
  oracleExampleSchema,
  resultSchema,
  ruleId,
  runSchema,
  targetFactsSchema,
} from '../spec/formats/report.ts';
import { oracles } from '../spec/oracle.ts';

const oracleTally = z.object({
  canaries: canariesSchema.exactOptional(),
  checked: count,
  requests: count,
  nothingToSay: count,
  leftOut: uncheckedCountsSchema,
  misfits: z.array(
    z.object({
      of: z.enum(['answer', 'request']),
      readers: z.enum(['both', 'ours', 'prism']),
      operation: z.string(),
      status: z.int(),
      promised: ruleId.exactOptional(),
      rules: z.array(ruleId),
      count,
      example: oracleExampleSchema,
    }),
  ),
});

export const shardSchema = z.object({
  run: runSchema,
  target: targetFactsSchema,
  outcomes: z.array(
    z.object({
      result: resultSchema,
      observations: z.array(observationSchema),
      shapes: z.object({ fitted: count, misfitted: count, misfits: z.array(counterexampleSchema) }),
      exercised: z.array(z.object({ operation: z.string(), element: z.string() })),
      oracle: oracleTally.exactOptional(),
    }),
  ),
  selected: z.array(ruleId).exactOptional(),
  shardRules: z.array(ruleId).exactOptional(),
  knownFailures: z.array(listedFailureSchema).exactOptional(),
  oracle: z.enum(oracles).exactOptional(),
  left: z.array(z.string()).exactOptional(),
});
