/** The format of a list of known failures (YAML or JSON): rules that may fail without making a run fail. */
import { z } from 'zod';
import { requirements } from '../requirements/index.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { missingOperation, routeOf } from '../missing-operation.ts';
import { operationsNamed } from '../operation-names.ts';
import { operation } from '../operations.ts';
import type { OperationId } from '../operations.ts';
import { operationsOf } from '../requirements/operations-of.ts';
import { matchesGlob } from '../wildcard.ts';
import { day, text } from './parts.ts';

const isMust = ({ level }: (typeof requirements)[number]): boolean => level === 'must';

/** A rule without such a name could not fail, or does not exist. */
const ruleOrOperation = text
  .refine(
    (name) => operationsNamed(name).length > 0 || requirements.some((rule) => isMust(rule) && isNamed(rule, name)),
    {
      error: ({ input }) =>
        requirements.some((rule) => isNamed(rule, String(input)))
          ? 'a must rule: it is only observed, so it cannot fail'
          : 'the id of a must rule, a glob such as metrics.*, or an operation such as POST /vpcs; `assay rules` lists rules',
    },
  )
  .describe(
    'Id of a must rule, or a glob such as metrics.* for all that match. Or an operation, by operationId or route such as ' +
      'POST /vpcs: what fails with a response of it, and the rules that wait for it.',
  );

const knownFailureSchema = z
  .strictObject({
    id: ruleOrOperation,
    reason: text.describe('Why the failure is accepted.'),
    ticket: text.describe('Where it is tracked.').exactOptional(),
    expires: day
      .describe('Last day (UTC) on which the failure is accepted, such as 2026-12-31. Default: no end.')
      .exactOptional(),
  })
  .readonly();

export const knownFailuresSchema = z
  .array(knownFailureSchema)
  .superRefine((entries, context) => {
    const ids = entries.map(({ id }) => id);
    const index = ids.findIndex((id, at) => ids.indexOf(id) !== at);
    if (index !== -1)
      context.addIssue({ code: 'custom', path: [index, 'id'], message: 'unique: the list has it twice' });
  })
  .meta({ title: 'Known failures of assay' });

export type KnownFailure = z.infer<typeof knownFailureSchema>;

const isNamed = ({ id }: Pick<Requirement, 'id'>, name: string): boolean => matchesGlob(id, name);

/** What a result is about. */
export interface Evidence {
  /** Of the request whose response shows the failure. Undefined if no operation has it. */
  readonly failed?: OperationId | undefined;
  /** Of the result. */
  readonly missing?: string | undefined;
}

/**
 * Whether an entry with this id covers a rule. An operation covers what failed with it or waits for it, and all failures of
 * rules that name no other operation. Without evidence, it covers every rule that names it.
 */
export function coversRule(id: string, rule: Pick<Requirement, 'id' | 'operations'>, evidence?: Evidence): boolean {
  if (isNamed(rule, id)) return true;
  const named = operationsNamed(id);
  if (evidence === undefined) return named.some((each) => rule.operations.includes(each));
  const { failed, missing } = evidence;
  if (missing !== undefined) return named.some((each) => missing === missingOperation(routeOf(operation(each))));
  return named.some((each) => each === failed) || operationsOf(rule).every((each) => named.includes(each));
}
