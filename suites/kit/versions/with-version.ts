/** Sends a management request with a version header, and recognizes a refused version. */
import { headerNames } from '../../../spec/brand.ts';
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

/** If `version` is undefined, no version header is sent; a list is sent as repeated headers. Created resources are removed. */
export async function withVersion(
  run: Pick<Run, 'client' | 'target' | 'prefix'>,
  request: ManagementRequest | undefined,
  version: string | string[] | undefined,
  { name = headerNames(run.target.brand).version, as = run.client }: Spelling = {},
): Promise<Exchange> {
  if (request === undefined) throw new Error('Missing request: the run has none for this operation.');
  const input = request.input();
  const exchange = await as.call(request.id, { ...input, headers: { [name]: version } });
  if (isSuccessful(exchange)) await removeByRequestedName(run, request.id, input);
  return exchange;
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
