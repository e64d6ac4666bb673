/** The format of a list of known failures (YAML or JSON): rules that may fail without making a run fail. */
import { z } from 'zod';
import { requirements } from '../requirements/index.ts';
import type { RequirementId } from '../requirements/index.ts';
import { day, text } from './parts.ts';

const mustRuleIds: readonly RequirementId[] = requirements.filter(({ level }) => level === 'must').map(({ id }) => id);

/** Only a must rule can fail. */
const mustRuleId = z
  .enum(mustRuleIds as readonly [RequirementId, ...RequirementId[]], {
    error: ({ input }) =>
      requirements.some(({ id }) => id === input)
        ? 'a must rule: it is only observed, so it cannot fail'
        : 'the id of a must rule; `assay rules` lists them',
  })
  .describe('Id of a must rule.');

const knownFailureSchema = z
  .strictObject({
    id: mustRuleId,
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
