/** Samples of the target file in place of made-up values, and the sample that a refused made-up value suggests. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Run } from '../../engine/run.ts';
import type { Exchange } from '../../target/client.ts';
import { describeRefusal, messageOf } from '../../expect/describe-refusal.ts';
import { isMissingStatus } from '../../../spec/missing-operation.ts';
import { isRefused } from '../../expect/status.ts';
import { fieldsOf } from '../../json/fields.ts';
import { jsonIn } from '../../json/json-in.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { madeUpSpecs } from './creates.ts';
import { isQuotaExhausted, namesWorkspace, saysQuota } from './quota.ts';

type OfTarget = Pick<Run, 'target'>;

/** The callbackUrl of an asynchronous trigger. */
export const sampleCallbackUrl = ({ target }: OfTarget, madeUp = 'https://example.com/assay'): string =>
  target.samples.callbackUrl ?? madeUp;

/** The schedule of a cron trigger. By default once a week, which most plans allow. */
export const sampleSchedule = ({ target }: OfTarget, madeUp = '0 9 * * 1'): string => target.samples.schedule ?? madeUp;

export interface RefusedWrite {
  readonly id: OperationId;
  readonly exchange: Exchange;
}

/** Describes the need of a write that the target accepts. Names the samples that such a write may lack. */
export function describeAccepted(run: OfTarget, refused: readonly RefusedWrite[]): string {
  const each = refused.map(({ id, exchange }) => `${id} (${describeRefusal(exchange)})`).join(', ');
  const description = `${refused.length > 1 ? `one of ${each}` : `a ${each || 'write'}`} that is accepted`;
  return [description, ...refused.flatMap((one) => missingPart(run, one) ?? [])].join('; ');
}

/**
 * Throws NotTried if the target may refuse a valid create: because of a full quota, possibly a missing workspace header, or what
 * the run has made up, with a status of its choice (decision 019). A spec of the target file is judged. `what`: such as "a VPC".
 */
export function needAcceptedCreate(run: Run, id: OperationId, exchange: Exchange, what: string): void {
  if (isSuccessful(exchange)) return;
  const quota = `quota for ${what} more (${describeRefusal(exchange)})`;
  run.need(!saysQuota(exchange), quota);
  run.need(namesWorkspace(run), 'the workspace of the target: creates with an API key send it');
  const isOfContent = isRefused(exchange) && !isMissingStatus(exchange.response.status);
  const missing = isOfContent ? missingPart(run, { id, exchange }) : undefined;
  run.need(missing === undefined, `${missing ?? ''} (${describeRefusal(exchange)})`);
  run.need(!isQuotaExhausted(exchange), quota);
}

/** A sample only if the response does not say that something else was refused. */
const missingPart = (run: OfTarget, { id, exchange }: RefusedWrite): string | undefined =>
  refusedMetadata(exchange) ?? missingSample(run, id);

/** How a message may name a field of the metadata. */
const metadataWords = { displayName: /display[\s_-]*name/i, labels: /\blabels?\b/i } as const;

/** The field that the response names, and what was sent. Undefined if it names none, or something of the spec as well. */
function refusedMetadata(exchange: Exchange): string | undefined {
  const message = messageOf(exchange) ?? '';
  const { metadata, spec } = fieldsOf(jsonIn(exchange.request.body ?? '')) ?? {};
  const words = new Set(message.split(/\W+/));
  if (['spec', ...Object.keys(fieldsOf(spec) ?? {})].some((word) => words.has(word))) return undefined;
  const field = (['displayName', 'labels'] as const).find((each) => metadataWords[each].test(message));
  if (field === undefined) return undefined;
  const sent = JSON.stringify(fieldsOf(metadata)?.[field]) ?? 'none';
  return `metadata.${field} that is accepted (sent: ${sent}; ${describeRefusal(exchange)})`;
}

/** Undefined if the target file has the sample, or the create has nothing made up. */
function missingSample({ target: { samples } }: OfTarget, id: OperationId): string | undefined {
  const { what, sample } = madeUpSpecs[id] ?? {};
  if (sample === undefined || samples[sample] !== undefined) return undefined;
  return `${what} that is accepted (made-up ones may be refused): set samples.${sample} in the target file`;
}
