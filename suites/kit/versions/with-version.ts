/** Sends a management request with a version header, and recognizes a refused version. */
import { headerNames } from '../../../spec/brand.ts';
import { requestIn } from '../../../spec/in-version.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import { operationIn } from '../../../spec/operation-versions.ts';
import { operation } from '../../../spec/operations.ts';
import type { CallInput } from '../../target/request-types.ts';
import { earliestStable, isKnownVersion } from '../../../spec/versions.ts';
import type { Mismatch, Run } from '../../engine/conforms.ts';
import { isSuccessful } from '../../target/eventually.ts';
import { fieldsOf } from '../../json/fields.ts';
import { status } from '../../expect/status.ts';
import { removeByRequestedName } from '../provision/removal.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { ManagementRequest } from './requests.ts';

interface Spelling {
  /** The spelling of the header name. */
  readonly name?: string;
  readonly as?: Client;
}

/**
 * If `version` is undefined, no version header is sent; a list is sent as repeated headers. The body of the request is one of the
 * earliest version; with a listed version, it is sent in that form. Created resources are removed.
 */
export async function withVersion(
  run: Pick<Run, 'client' | 'target' | 'prefix'>,
  request: ManagementRequest | undefined,
  version: string | string[] | undefined,
  { name = headerNames(run.target.brand).version, as = run.client }: Spelling = {},
): Promise<Exchange> {
  if (request === undefined) throw new Error('Missing request: the run has none for this operation.');
  const input = request.input();
  const sent = typeof version === 'string' && isKnownVersion(version) ? inVersion(version, request.id, input) : input;
  const exchange = await as.call(request.id, { ...sent, headers: { [name]: version } });
  if (isSuccessful(exchange)) await removeByRequestedName(run, request.id, input);
  return exchange;
}

/** With the body in the form of the version, and without the query parameters that it does not have. */
function inVersion(version: string, id: OperationId, input: CallInput): CallInput {
  if (version === earliestStable) return input;
  const { body, query = {}, ...rest } = input;
  const known = operationIn(version, id)?.parameters.map(({ name }) => name);
  const pairs = Array.isArray(query) ? (query as [string, string][]) : Object.entries(query as Record<string, string>);
  return {
    ...rest,
    query: pairs.filter(([name]) => !operation(id).queryParameters.includes(name) || known?.includes(name) === true),
    ...(body === undefined ? {} : { body: requestIn(version, id, body) }),
  };
}

/** Whether this is the documented refusal of a version, judged by the machine-readable part. */
export function isVersionRefusal({ response: { json } }: Exchange): boolean {
  return errorOf(json) === 'invalid_api_version';
}

/** 400 with error invalid_api_version. The rest of the body is ignored. */
export function refusedVersion(exchange: Exchange): Mismatch[] {
  const error = errorOf(exchange.response.json);
  const wrongError = { expected: 'error "invalid_api_version"', actual: `error ${JSON.stringify(error)}`, exchange };
  return [...status(exchange, 400), ...(error === 'invalid_api_version' ? [] : [wrongError])];
}

function errorOf(json: unknown): unknown {
  return fieldsOf(json)?.['error'];
}
