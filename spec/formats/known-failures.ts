/** The format of a list of known failures (YAML or JSON): rules that may fail without making a run fail. */
import { z } from 'zod';
import { requirements } from '../requirements/index.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { missingOperation, routeOf, routeOfMissing } from '../missing-operation.ts';
import { operationsNamed } from '../operation-names.ts';
import { operation } from '../operations.ts';
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
      'POST /vpcs: the rules that wait for it, and those about no other operation.',
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

/** Whether an entry with this id is about a rule: by its id, or because the rule names the operation. */
export const namesRule = (id: string, rule: Pick<Requirement, 'id' | 'operations'>): boolean =>
  isNamed(rule, id) || operationsNamed(id).some((each) => rule.operations.includes(each));

/**
 * Whether an entry with this id covers a rule. An operation covers what waits for it, and rules about nothing else: others may
 * fail because of several operations. `missing`: of the result.
 */
export function coversRule(
  id: string,
  rule: Pick<Requirement, 'id' | 'operations'>,
  missing: string | undefined,
): boolean {
  if (isNamed(rule, id)) return true;
  const named = operationsNamed(id);
  return routeOfMissing(missing) === undefined
    ? operationsOf(rule).every((each) => named.includes(each))
    : named.some((each) => missing === missingOperation(routeOf(operation(each))));
}
