/** Samples of the target file in place of made-up values, and the sample that a refused made-up value suggests. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Run } from '../../engine/run.ts';
import { fieldsOf } from '../../json/fields.ts';

type OfTarget = Pick<Run, 'target'>;

/** The callbackUrl of an asynchronous trigger. */
export const sampleCallbackUrl = ({ target }: OfTarget, madeUp = 'https://example.com/assay'): string =>
  target.samples.callbackUrl ?? madeUp;

/** The schedule of a cron trigger. By default once a week, which most plans allow. */
export const sampleSchedule = ({ target }: OfTarget, madeUp = '0 9 * * 1'): string => target.samples.schedule ?? madeUp;

/** Describes the need of a create that the target accepts. Names the samples that such a create may lack. */
export function describeAccepted(run: OfTarget, ids: readonly OperationId[]): string {
  const description = ids.length === 1 ? `a ${ids[0]} that is accepted` : `one of ${ids.join(', ')} that is accepted`;
  return description + describeMissingOfCreates(run, ids);
}

/** Names the samples that a refused create may lack. Empty if the target file has them. */
export const describeMissingOfCreates = ({ target: { samples } }: OfTarget, ids: readonly OperationId[]): string =>
  hint(missingOfCreates.filter(([id, key]) => ids.includes(id) && samples[key] === undefined));

const missingOfCreates = [
  ['createVpc', 'vpcSpec', 'a VPC may need a certain spec'],
  ['createIntegrationConnection', 'connectionSecrets', 'the provider may not know made-up secrets'],
] as const;

/** Names the samples that a refused spec of an agent may lack. Empty if it has no made-up value. */
export function describeMissingSamples({ target: { samples } }: OfTarget, spec: object): string {
  const { triggers } = spec as { triggers?: unknown };
  const configurations = (Array.isArray(triggers) ? triggers : []).map(
    (trigger) => fieldsOf(fieldsOf(trigger)?.['configuration']) ?? {},
  );
  const isSent = (field: string): boolean => configurations.some((each) => each[field] !== undefined);
  return hint(missingOfTriggers.filter(([field]) => isSent(field) && samples[field] === undefined));
}

const missingOfTriggers = [
  ['callbackUrl', 'callbackUrl', 'the target may verify callback URLs'],
  ['schedule', 'schedule', 'the plan may limit schedules'],
] as const;

const hint = (missing: readonly (readonly [string, string, string])[]): string =>
  missing.map(([, key, reason]) => `; or samples.${key} in the target file: ${reason}`).join('');
