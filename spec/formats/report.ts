/** The format of report.json, version 1. Readers ignore keys that they do not know. */
import { z } from 'zod';
import { blamedParts, uncheckedReasons, oracles } from '../oracle.ts';
import type { OracleReport } from '../oracle.ts';
import { surfaces } from '../openapi-document.ts';
import type { Surface } from '../openapi-document.ts';
import type { ObserveId, RequirementId } from '../requirements/index.ts';
import { count } from './parts.ts';
import { knownFailureStates, REPORT_FORM, verdicts } from './report-values.ts';
import { allowLevels } from './target-values.ts';

const instant = z.iso.datetime({ error: 'an RFC 3339 timestamp in UTC' });

/** Any id in the format of the catalogue's, because another version may have other rules. */
const ruleIdOf = <Id extends string>() =>
  z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, {
    error: 'an id such as area.topic.what-conforming-looks-like',
  }) as unknown as z.ZodType<Id>;

export const ruleId = ruleIdOf<RequirementId>();

export const runSchema = z.object({
  id: z.string().min(1).describe('Also in the names of what the run created: `assay-<id>-…`.'),
  seed: z.int().describe('Decides every generated input.'),
  runs: count.describe('Inputs per property.'),
  startedAt: instant.describe('Start of the run.'),
  endedAt: instant.describe('End of the run, or when it was interrupted.'),
  assay: z.string().describe('Version of assay.'),
  shard: z
    .string()
    .regex(/^\d+\/\d+$/, { error: 'I/N such as 1/4' })
    .nullable()
    .describe('`I/N`, counted from 1; null for a whole run.'),
  complete: z.boolean().describe('False if the run was interrupted; such a run is never green.'),
  stoppedBy: z
    .enum(['time', 'bail', 'quick'])
    .nullable()
    .describe('Why inputs were omitted: the time of --time was over, --bail or --quick. null if all were tested.')
    .exactOptional(),
  rulesAsOf: z
    .string()
    .describe('Rules that are newer than this version of assay only observe. Absent without --rules-as-of.')
    .exactOptional(),
  operations: z
    .array(z.string())
    .describe('Ids of the operations that the target has, as its user declared. Absent if all count.')
    .exactOptional(),
  chosenOperations: z
    .literal(true)
    .describe('The operations are those of --operation: the target may have others. Absent if its file names them.')
    .exactOptional(),
  targetFile: z.string().describe('Target file as the user named it. Absent if there was none.').exactOptional(),
  baseUrl: z
    .string()
    .describe('Management address, if the user named it: instead of a file, or of that in the file.')
    .exactOptional(),
  mock: z
    .array(z.string())
    .describe(
      'The flags of the mock, if the run was the command of `assay mock … -- COMMAND`. Absent for other targets.',
    )
    .exactOptional(),
  patience: z.number().nonnegative().describe('Seconds of --patience. Absent without the flag.').exactOptional(),
  maxBody: z.number().nonnegative().describe('Bytes of --max-body. Absent without the flag.').exactOptional(),
  rate: z.number().nonnegative().describe('Requests per second of --rate. Absent without the flag.').exactOptional(),
  warnings: z
    .array(z.string())
    .describe(
      'Suspicious responses before the run, such as a refused credential, one sentence each. Absent if there are none.',
    )
    .exactOptional(),
  strict: z.literal(true).describe('A must rule that is not tried makes the run fail.').exactOptional(),
  judged: z
    .object({
      recordings: z.array(z.string()).describe('The recordings, as the user named them. Empty for a proxy.'),
      exchanges: count.describe('Exchanges of documented operations, which the rules judged.'),
      skipped: z
        .array(z.object({ reason: z.string().describe('Why.'), count: count.describe('Exchanges.') }))
        .describe('Exchanges that no rule judged, by reason.'),
    })
    .describe(
      'Traffic of others that was judged, by assay judge or assay proxy. Absent if the run sent its own requests.',
    )
    .exactOptional(),
});

export const targetFactsSchema = z.object({
  name: z.string().describe('Name of the deployment.'),
  addresses: z
    .record(z.string(), z.string())
    .describe(`Addresses by surface: ${surfaces.join(', ')}.`) as unknown as z.ZodType<{
    [S in Surface]?: string;
  }>,
  brand: z.string().describe('The word in the header names.'),
  allow: z.enum(allowLevels).describe('What the run was allowed to do.'),
});

const requestSchema = z.object({
  method: z.string().describe('The HTTP method.'),
  url: z.string().describe('The whole URL.'),
  headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .describe('Names as sent; credentials are variables such as `$SVC_ADMIN_TOKEN`.'),
  body: z.string().describe('Truncated if it is long. Absent without a body, or if it is no text.').exactOptional(),
});

export const counterexampleSchema = z.object({
  input: z.unknown().describe('What the case generated or chose, as JSON.'),
  seed: z.int().describe('Seed of the run.'),
  path: z.string().describe('The place of the input, such as `3:1:0`. Empty if the case has only one.'),
  property: z
    .int()
    .positive()
    .describe('Which property of the case, counted from 1, the path belongs to. Absent for a fixed input.')
    .exactOptional(),
  curl: z
    .string()
    .describe(
      'Shell lines; the last request shows the violation. Credentials are variables such as `$SVC_ADMIN_TOKEN`.',
    ),
  shrinking: z
    .enum(['finished', 'stopped', 'none'])
    .describe(
      'finished: no smaller input fails. stopped: smaller than the first one that failed, but further ones were not tested. ' +
        'none: no smaller input was found.',
    )
    .exactOptional(),
  request: requestSchema.describe('The request whose response shows the violation.').exactOptional(),
  recorded: z
    .string()
    .describe('The recording and the entry that shows the violation. Absent if the run sent the request.')
    .exactOptional(),
  expected: z.string().describe('What the rule expects.'),
  actual: z.string().describe('What the target did.'),
  differences: z
    .array(
      z.object({
        expected: z.string().describe('What the rule expects here.'),
        actual: z.string().describe('What the target did here.'),
      }),
    )
    .describe('The parts of `expected` and `actual` in pairs. Absent if there is only one.')
    .exactOptional(),
  waitedSeconds: z
    .int()
    .positive()
    .describe('How long the run waited for an effect that may be delayed. Absent if it was less than 5 seconds.')
    .exactOptional(),
  sources: z
    .array(z.string())
    .describe(
      'The sentences that it breaks, of those that the rule follows from. Absent if the rule does not tell them apart.',
    )
    .exactOptional(),
});

export const resultSchema = z.object({
  id: ruleId.describe('Id of the requirement.'),
  level: z.enum(['must', 'observe']).describe('A must rule can fail; an observe rule only records behaviour.'),
  rule: z.string().describe('Text of the rule when the run was made.'),
  verdict: z
    .enum(verdicts)
    .describe(
      'passed: something was tried and held. failed: a response broke the rule. known-failure: failed, and listed as known. ' +
        'not-tried: a need is missing. observed: behaviour was recorded. error: a problem of assay or the network.',
    ),
  reason: z
    .string()
    .describe(
      'Actual and expected, the missing need, or the error. Of a rule that passed, what was missing for inputs that show nothing; absent if there are none.',
    )
    .exactOptional(),
  missing: z
    .string()
    .describe(
      'What a rule that was not tried lacks: a need of the catalogue such as `agent` or `scope:agents:get`, `expired` (a token), ' +
        '`account`, `restorable-agent`, `time` (--time), `bail` (--bail), `inputs` (--quick), or `operations` (an operation that is not selected breaks the rule). Absent if only the reason describes it.',
    )
    .exactOptional(),
  durationMs: z.number().nonnegative().describe('Wall time in milliseconds.'),
  exchanges: count.describe('Exchanges made for this requirement.'),
  inputs: count.describe('Inputs and fixed checks that were tested. Absent if nothing was tried.').exactOptional(),
  counterexample: counterexampleSchema.describe('An input that breaks the rule, as small as possible.').exactOptional(),
  newer: z
    .object({
      since: z.string().describe('The version of assay in which the rule appeared, or became stricter.'),
      verdict: z.enum(verdicts).describe('The verdict without --rules-as-of.'),
    })
    .describe('Present if the rule is newer than --rules-as-of: it then only observes.')
    .exactOptional(),
});

export const observationSchema = z.object({
  id: ruleIdOf<ObserveId>().describe('Id of the observe rule.'),
  what: z.string().describe('What was observed. Runs are compared by id and this text.'),
  saw: z.string().describe('What the target did: the value, as text.'),
  value: z.json().describe('What the target did. Its form depends on id and what.'),
});

export const listedFailureSchema = z.object({
  id: z.string().describe('Id of a must rule, a glob, or an operation, as listed.'),
  reason: z.string().describe('Why the failure is accepted.'),
  ticket: z.string().describe('Where it is tracked.').exactOptional(),
  expires: z.string().describe('Last day (UTC) on which the failure is accepted.').exactOptional(),
});

export const canariesSchema = z.object({
  sent: count.describe('Known-bad responses given to the oracle.'),
  caught: count.describe('Of these, reported as bad.'),
  missed: z.array(z.string()).describe('Of these, accepted.'),
  nothingToSay: z.array(z.string()).describe('Of these, not judged.'),
});
export const uncheckedCountsSchema = z.partialRecord(z.enum(uncheckedReasons), count);
const finding = z.object({
  at: z.string().describe('JSON pointer into the body.'),
  says: z.string().describe('What is wrong there.'),
});
export const oracleExampleSchema = z.object({
  requirement: ruleId.describe('The rule whose case made the exchange.'),
  curl: z.string().describe('A shell line that sends the request.'),
  ours: z.array(finding).describe('Findings of our validator.'),
  prism: z.array(finding).describe('Findings of Prism.'),
});

const oracle = z.object({
  name: z.enum(oracles).describe('The second reader of the documents.'),
  canaries: canariesSchema.describe('Self-check of the oracle.'),
  checked: count.describe('Responses that both readers judged and whose body is documented.'),
  requests: count.describe('Request bodies that both readers judged.'),
  nothingToSay: count.describe('Responses whose body is not documented.'),
  leftOut: uncheckedCountsSchema.describe('Exchanges that were not for the oracle, by reason.'),
  violations: z
    .array(
      z.object({
        requirement: ruleId.describe('The rule that promises the body.'),
        rules: z.array(ruleId).describe('Rules about the invalid fields.').exactOptional(),
        count: count.describe('Responses.'),
        example: oracleExampleSchema.describe('The one with the shortest request.'),
      }),
    )
    .describe('Responses that both readers reject although their body is documented.'),
  disagreements: z
    .array(
      z.object({
        blame: z.enum(blamedParts).describe('Which of the three is wrong.'),
        says: z.string().describe('What one reader says and the other does not.'),
        count: count.describe('Bodies.'),
        example: oracleExampleSchema.describe('The one with the shortest request.').exactOptional(),
      }),
    )
    .describe('Where our validator, Prism and the catalogue differ.'),
}) as unknown as z.ZodType<OracleReport>;

const judgedFailureSchema = listedFailureSchema.extend({
  rules: z.array(ruleId).describe('The rules that it covers. Absent if it is the id of one.').exactOptional(),
  state: z
    .enum(knownFailureStates)
    .describe('failed: as listed. passed: the entry is stale. expired: its last day is over. not-judged: no verdict.'),
});

const summarySchema = z.object({
  passed: count.describe('Requirements that passed.'),
  failed: count.describe('Requirements that failed.'),
  knownFailure: count.describe('Requirements that failed and are listed as known.'),
  notTried: count.describe('Requirements that were not tried.'),
  observed: count.describe('Observe rules that were recorded.'),
  error: count.describe('Requirements with an error of assay or the network.'),
  exchanges: count.describe('Exchanges of the run.'),
});

const coverageSchema = z.object({
  elements: count.describe('Documented elements: operations, parameters, fields, their values and bounds, responses.'),
  exercised: count.describe('Of these, exercised by the run.'),
  missing: z
    .array(
      z.object({
        operation: z.string().describe('Id of the operation.'),
        element: z
          .string()
          .describe('Such as `query limit = 99`, `without body metadata` or `response 200 data[].cost`.'),
        why: z.string().describe('Why the run did not exercise it.'),
      }),
    )
    .describe('The others.'),
});

export const reportSchema = z
  .object({
    report: z.literal(REPORT_FORM).describe('Version of this format.'),
    run: runSchema.describe('The run.'),
    target: targetFactsSchema.describe('The target, without credentials.'),
    summary: summarySchema.describe('Requirements by verdict.'),
    requirements: z
      .array(resultSchema)
      .describe('One entry per requirement of the catalogue (or of the shard), in its order.'),
    observations: z.array(observationSchema).describe('What the target does where the documents are silent.'),
    coverage: coverageSchema
      .describe('How much of what the interface documents the run exercised. Absent in reports of older versions.')
      .exactOptional(),
    knownFailures: z
      .array(judgedFailureSchema)
      .describe('State of the failures that the user listed. Absent if none are listed.')
      .exactOptional(),
    oracle: oracle.describe('Result of the second reader. Absent in a run without one.').exactOptional(),
    left: z
      .array(z.string())
      .describe('What the run created or changed and could not undo, one sentence each. Absent if nothing is left.')
      .exactOptional(),
  })
  .meta({ title: 'report.json of assay' });

type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T;

export type Report = Immutable<z.infer<typeof reportSchema>>;
export type RunFacts = Report['run'];
/** The target without its credentials. */
export type TargetFacts = Report['target'];
/** Requirements by verdict, and the number of exchanges of the run. */
export type Summary = Report['summary'];
/** What a run says of one requirement. */
export type RuleResult = Report['requirements'][number];
/** An input that breaks a rule, and how to send it again. */
export type Counterexample = Immutable<z.infer<typeof counterexampleSchema>>;
/** How much of what the interface documents a run exercised. */
export type Coverage = NonNullable<Report['coverage']>;
export type JudgedKnownFailure = Immutable<z.infer<typeof judgedFailureSchema>>;
/** What a target does where the document is silent. */
export type Observation = Immutable<z.infer<typeof observationSchema>>;
