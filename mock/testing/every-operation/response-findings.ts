/** Finds errors in a response: an internal error of the mock, or a body that does not match the documents. */
import { isDeepStrictEqual } from 'node:util';
import { operation, type OperationId } from '../../../spec/operations.ts';
import { replyFindings } from '../../../spec/validators.ts';
import type { OperationResponse } from './request-types.ts';
import { documentedValues } from './documented-values.ts';

const JSON_TYPE = 'application/json';

/** The members of an error body, all of them, with the types of their values. */
type Form = Readonly<Record<string, string>>;

const serviceError: Form = { error: 'string', code: 'number', message: 'string' };
const versionError: Form = { error: 'string', message: 'string' };
const sandboxError: Form = { error: 'string' };
/** Of the OpenAI protocol; the text is in a member of it. */
const chatError: Form = { error: 'object' };
const oauthError: Form = { error: 'string', error_description: 'string' };

/** Findings in a response that must be successful. */
export function successFindings({ status, headers, text }: OperationResponse, id: OperationId): string[] {
  const types = documentedValues(id).successes.get(status);
  if (types === undefined) return [`status ${status}: ${text}`];
  const [type = ''] = String(headers['content-type'] ?? '').split(';');
  if (types.length === 0) return text === '' ? [] : [`${status} has the body ${text}, and is to have none`];
  if (!types.includes(type)) return [`${status} is ${type}, not ${types.join(' or ')}`];
  return type === JSON_TYPE ? replySays(id, status, text) : [];
}

/**
 * Findings in a response to an invalid request. `answeredBy` is the operation that handled it: the request may be valid
 * for another operation, or match none.
 */
export async function garbageFindings(
  { status, headers, text }: OperationResponse,
  requested: OperationId,
  respondingOperation: () => Promise<OperationId | undefined>,
): Promise<string[]> {
  if (status >= 500) return [`status ${status}: ${text}`];
  const isJson = String(headers['content-type']).startsWith(JSON_TYPE);
  // The response to HEAD has the length of the omitted body.
  const isOmitted = text === undefined || (text === '' && Number(headers['content-length']) > 0);
  if (isOmitted || isPage(requested, headers)) return [];
  if (status >= 400)
    return isJson ? errorFindings(requested, status, JSON.parse(text)) : [`${status} is not JSON: ${text}`];
  const by = isJson && text !== '' ? await respondingOperation() : undefined;
  return by === undefined ? [] : replySays(by, status, text);
}

/** The login page, which shows errors to a browser. */
function isPage(requested: OperationId, headers: OperationResponse['headers']): boolean {
  return operation(requested).path === '/oauth/authorize' && String(headers['content-type']).startsWith('text/html');
}

function replySays(id: OperationId, status: number, text: string | undefined): string[] {
  return replyFindings(id, status, JSON.parse(text ?? '')).map(({ says }) => says);
}

function errorFindings(requested: OperationId, status: number, body: Readonly<Record<string, unknown>>): string[] {
  const form = formAt(requested, body);
  const found = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value]));
  if (!isDeepStrictEqual(found, form))
    return [`${status} has the body ${JSON.stringify(body)}, not of the form ${JSON.stringify(form)}`];
  return form === serviceError && body['code'] !== status ? [`${status} has the code ${String(body['code'])}`] : [];
}

function formAt(requested: OperationId, body: Readonly<Record<string, unknown>>): Form {
  const { surface, path } = operation(requested);
  // JSON-RPC 2.0 section 5: the id equals that of the request.
  if ('jsonrpc' in body && path.endsWith('/mcp')) return { jsonrpc: 'string', error: 'object', id: typeof body['id'] };
  if (body['error'] === 'invalid_api_version') return versionError;
  // What never becomes a request is for no surface.
  if (body['error'] === 'malformed_request') return serviceError;
  // A path that garbage made another is for no chat.
  if (path.endsWith('/chat/completions') && typeof body['error'] === 'object') return chatError;
  if (surface === 'sandbox') return sandboxError;
  return path.startsWith('/oauth/') ? oauthError : serviceError;
}
