/** The format of compare.json, version 1. Readers ignore keys that they do not know. */
import { z } from 'zod';
import type { OperationId } from '../operations.ts';
import { count, day, text } from './parts.ts';
import { ruleId } from './report.ts';

export const COMPARISON_FORM = 1;

/**
 * Two targets: `a-breaks` and `b-breaks` if only that one breaks a rule there; `observation` if the document is silent. Two
 * versions of one target: `breaking` if a client that works with the first one may fail with the second; else `compatible`.
 */
export const differenceClasses = [
  'a-breaks',
  'b-breaks',
  'both-break',
  'observation',
  'breaking',
  'compatible',
] as const;
export type DifferenceClass = (typeof differenceClasses)[number];

const operationId = text.describe('Id of the operation.') as unknown as z.ZodType<OperationId>;
const rules = (side: string) => z.array(ruleId).describe(`Rules that only the ${side} target breaks there.`);
const instant = z.iso.datetime();
const context = text.describe('What is special about the request: `valid`, or what is wrong with it.');
const compared = count.describe('Exchanges of both targets that were compared.');
const alike = count.describe('Those without a difference.');

const sideSchema = z.object({
  name: text.describe('Name of the target, or of the recording.'),
  version: text.describe('With --versions: the version of the management API that was requested.').optional(),
  management: z.string().describe('Address of its management API.'),
});

const differenceSchema = z.object({
  operation: operationId,
  context,
  at: text.describe(
    '`status`, a header, a place in the body, `operation` if one target does not have it, or `rule` and an id.',
  ),
  class: z
    .enum(differenceClasses)
    .describe('Which target breaks a rule there: a, b, both, or none. Of two versions: whether clients may fail.'),
  rules: z.object({ a: rules('first'), b: rules('second') }).describe('The rules that only this target breaks.'),
  count: count.describe('Exchanges that show it.'),
  a: z.unknown().describe('The value of the first target. Absent if it has none.').optional(),
  b: z.unknown().describe('The value of the second target. Absent if it has none.').optional(),
  steps: z.array(z.object({ operation: operationId, context })).describe('The shortest sequence found that shows it.'),
  repeated: z.boolean().describe('Whether the sequence showed it again with new names. False if it was not tried.'),
  script: z
    .object({
      a: z.string().describe('For the first target; credentials are shell variables.'),
      b: z.string().describe('For the second target; credentials are shell variables.'),
    })
    .describe('The sequence as curl commands, for each target.')
    .optional(),
  known: z.string().describe('Why it is accepted, by --known-differences. Absent if it is not.').optional(),
});

export const comparisonSchema = z
  .object({
    comparison: z.literal(COMPARISON_FORM).describe('Version of this format.'),
    run: z
      .object({
        id: text.describe('Also in the names of what it created: `assay-<id>a-…` and `assay-<id>b-…`.'),
        assay: text.describe('Version of assay.'),
        seed: z.int().describe('Decides the sequence. 0 for recordings.'),
        startedAt: instant.describe('Start of the comparison.'),
        endedAt: instant.describe('End of the comparison.'),
        complete: z.boolean().describe('False if it was interrupted, or a target did not respond.'),
      })
      .describe('The comparison.'),
    a: sideSchema.describe('The first target.'),
    b: sideSchema.describe('The second target.'),
    summary: z
      .object({
        compared,
        alike,
        different: count.describe('Differences by cause, without known ones.'),
        known: count.describe('Known differences.'),
      })
      .describe('Counts.'),
    operations: z
      .array(z.object({ operation: operationId, compared, alike }))
      .describe('What was compared, by operation.'),
    differences: z
      .array(differenceSchema)
      .describe('By cause, in the order in which they were found. Of two versions: breaking ones first.'),
    sameBecause: z
      .array(
        z.object({
          rule: text.describe('Id of the rule of the comparison.'),
          reason: text.describe('Why such values may differ.'),
          count: count.describe('Pairs of values.'),
          example: z.string().describe('The first pair.'),
        }),
      )
      .describe('What made different values count as the same.'),
    skipped: z
      .array(z.object({ reason: text.describe('Why, such as what a target lacks.'), count: count.describe('Steps.') }))
      .describe('Steps that were not compared, by reason.'),
  })
  .meta({ title: 'Comparison of two targets by assay' });

export type ComparisonReport = z.infer<typeof comparisonSchema>;
export type ReportedDifference = ComparisonReport['differences'][number];

const knownDifferenceSchema = z
  .strictObject({
    operation: text.describe('Id of the operation, or a glob such as list*.'),
    at: text
      .describe('Where they differ, as in the report, or a glob such as body.metadata.*. Default: everywhere.')
      .exactOptional(),
    context: text.describe('The context, as in the report, or a glob. Default: every one.').exactOptional(),
    reason: text.describe('Why the difference is accepted.'),
    ticket: text.describe('Where it is tracked.').exactOptional(),
    expires: day
      .describe('Last day (UTC) on which it is accepted, such as 2026-12-31. Default: no end.')
      .exactOptional(),
  })
  .readonly();

export const knownDifferencesSchema = z
  .array(knownDifferenceSchema)
  .meta({ title: 'Known differences of two targets' });
export type KnownDifference = z.infer<typeof knownDifferenceSchema>;
