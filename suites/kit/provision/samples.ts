/** Samples of the target file in place of made-up values, and the sample that a refused made-up value suggests. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Run } from '../../engine/run.ts';
import type { Exchange } from '../../target/client.ts';
import { describeRefusal, messageOf } from '../../expect/describe-refusal.ts';
import { isMissingStatus, routeOf } from '../../../spec/missing-operation.ts';
import { operation } from '../../../spec/operations.ts';
import { isRefused } from '../../expect/status.ts';
import { isUnrestricted } from '../../engine/callers.ts';
import { fieldsOf } from '../../json/fields.ts';
import { jsonIn } from '../../json/json-in.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { lackingSample, madeUpSpecs } from './creates.ts';
import { mayBeFull, namesWorkspace, saysQuota } from './quota.ts';

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
  const each = refused.map(({ id, exchange }) => `${routeOf(operation(id))} (${describeRefusal(exchange)})`).join(', ');
  const description = `${refused.length > 1 ? `one of ${each}` : each || 'a write'} that is accepted`;
  return [description, ...refused.flatMap((one) => nextStep(run, one) ?? [])].join('; ');
}

function nextStep(run: OfTarget, refused: RefusedWrite): string | undefined {
  const isMissing = isMissingStatus(refused.exchange.response.status);
  return isMissing ? `answer ${routeOf(operation(refused.id))}` : missingPart(run, refused);
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
  const isOfContent = mayBeOfContent(exchange) || isOfSecret(id, exchange);
  const missing = isOfContent ? missingPart(run, { id, exchange }) : undefined;
  run.need(missing === undefined, `${missing ?? ''} (${describeRefusal(exchange)})`);
  const isOfCaller = exchange.response.status === 401 && !isUnrestricted(run.target);
  run.need(!isOfCaller, `a credential that may create ${what} (${describeRefusal(exchange)})`);
  run.need(!mayBeFull(exchange), quota);
}

/**
 * Whether a create may be refused because of what it contains, with a status of the target's choice (decision 019). Not with 401,
 * which is about the caller, and not often in a row: a client no longer uses such a credential.
 */
export function mayBeOfContent(exchange: Exchange): boolean {
  const { status } = exchange.response;
  return isRefused(exchange) && !isMissingStatus(status) && ![401, 402].includes(status) && !saysQuota(exchange);
}

/** The provider may refuse a secret, which is another credential. */
const isOfSecret = (id: OperationId, { response }: Exchange): boolean =>
  response.status === 401 && id === 'createIntegrationConnection';

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

/** Undefined if the target file has the whole sample, or the create has nothing made up. */
function missingSample(run: OfTarget, id: OperationId): string | undefined {
  const sample = lackingSample(run, id);
  if (sample === undefined) return undefined;
  return `${madeUpSpecs[id]?.what} that is accepted (made-up ones may be refused): set ${sample} in the target file`;
}
