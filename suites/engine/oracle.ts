/** Validates the exchanges of a run with Prism, as far as Prism supports them. */
import { jsonIn } from '../json/json-in.ts';
import type { UncheckedReason } from '../../spec/oracle.ts';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { SelfCheck } from '../../spec/prism/self-check.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import type { ReaderFinding } from '../../spec/prism/reader-types.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import { adminOnlyRule, notAccountAdmins, bodyRequirement } from '../../spec/body-requirement.ts';
import type { BodyRequirement } from '../../spec/body-requirement.ts';
import { isMcp, uncheckedReason } from '../../spec/unchecked-response.ts';
import type { ShapeFinding } from '../../spec/shape-finding.ts';
import { bodyFindings, schemaFindings } from '../../spec/validators.ts';
import type { Exchange, SentRequest } from '../target/exchange.ts';
import type { Target } from '../target/target.ts';

/** The findings in a response body and the rule that requires a valid one, or the reason why it was not validated. */
export type Reading = (BothReadings & { promised: MustId | undefined }) | { leftOut: UncheckedReason };

/** What our reader and Prism find in one body. */
export interface BothReadings {
  readonly ours: readonly ShapeFinding[];
  readonly prism: readonly ShapeFinding[];
}

export interface Oracle {
  /** Findings in the response. */
  readResponse(exchange: Exchange): Reading;
  /** Findings in the request body. Undefined if it has none that both validators can read. */
  readRequest(exchange: Exchange): BothReadings | undefined;
  /** The result of the self-check. Only set at the first call, so that a run reports it once. */
  takeCanaries(): SelfCheck | undefined;
}

/** `target` tells which of its callers are not account admins. If omitted, the roles are unknown. */
export function createOracle(reader: PrismReader, target?: Target): Oracle {
  let canaries: SelfCheck | undefined = reader.canaries;
  return {
    readResponse(exchange) {
      const { operation: id, response } = exchange;
      if (id === undefined) return { leftOut: unknownOperationReason(exchange) };
      const leftOut = skipReason(id, exchange);
      if (leftOut !== undefined) return { leftOut };
      const adminOnly = target && adminOnlyFor(target, id, exchange);
      const promised = bodyRequirement(id, { status: response.status, body: response.json, adminOnly });
      return readingOf(id, exchange, promised, reader);
    },
    readRequest({ operation: id, request }) {
      const body = id === undefined ? undefined : jsonBodyOf(id, request);
      if (id === undefined || body === undefined) return undefined;
      const sentRequest = { path: '/', headers: { 'content-type': JSON_TYPE }, body };
      return {
        ours: bodyFindings(id, body).map(({ at, says }) => ({ at, says })),
        prism: reader.requestFindings(id, sentRequest).flatMap(ofBody),
      };
    },
    takeCanaries() {
      const accepted = canaries;
      canaries = undefined;
      return accepted;
    },
  };
}

function readingOf(
  id: OperationId,
  { response: { status, headers, json: body }, shape }: Exchange,
  promised: BodyRequirement | undefined,
  reader: PrismReader,
): Reading {
  const form = promised?.form;
  // Prism accepts a missing body where no rule requires one.
  const isLeftOut = body === undefined && promised === undefined;
  const ours = isLeftOut ? [] : form === undefined ? shape : schemaFindings('management', form, body);
  const prism =
    form === undefined ? reader.responseFindings(id, { status, headers, body }) : reader.formFindings(form, body);
  return {
    // A schema that every body matches promises nothing.
    promised: prism && promised?.requirement,
    ours: ours.map(({ at, says }) => ({ at, says })),
    prism: prism?.flatMap(ofBody) ?? [],
  };
}

/** The rule that requires a refusal, if the caller is known not to be an account admin. */
function adminOnlyFor({ credentials, account }: Target, id: OperationId, { request, credential }: Exchange) {
  const names = notAccountAdmins.map((each) => credentials[each]?.name);
  if (account === undefined || credential === undefined || !names.includes(credential)) return undefined;
  return adminOnlyRule(id, request.url, account);
}

/** Headers are omitted, because our own validator does not check them. */
const ofBody = ({ in: place, at, says }: ReaderFinding): ShapeFinding[] => (place === 'body' ? [{ at, says }] : []);

const JSON_TYPE = 'application/json';

/** Also undefined for null, false, 0 and "", which Prism treats as a missing body. */
function jsonBodyOf(id: OperationId, { headers, body = '' }: SentRequest): unknown {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  if (type !== JSON_TYPE || !operation(id).bodyTypes.includes(JSON_TYPE) || isMcp(id)) return undefined;
  return jsonIn(body) || undefined;
}

function unknownOperationReason({ request: { body = '' } }: Exchange): UncheckedReason {
  return body === '' || jsonIn(body) !== undefined ? 'the request is of no operation' : 'the request is malformed JSON';
}

function skipReason(
  id: OperationId,
  { response: { status, headers, text, json } }: Exchange,
): UncheckedReason | undefined {
  const unread = uncheckedReason(id, status, headers);
  return unread ?? (text !== '' && json === undefined ? 'the answer is no JSON' : undefined);
}
