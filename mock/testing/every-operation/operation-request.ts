/** A request to an operation, split into the parts that a test varies, and joined again to be sent. */
import { operation, type OperationId } from '../../../spec/operations.ts';
import { documentedValues } from './documented-values.ts';
import type { Change, MockAccess, OperationRequest } from './request-types.ts';
import { validRequests, type ValidRequest } from './valid-requests.ts';

export function changed(request: OperationRequest, change: Change): OperationRequest {
  return {
    ...request,
    ...change,
    path: { ...request.path, ...change.path },
    headers: { ...request.headers, ...change.headers },
  };
}

/** The valid request before anything is sent, so without the results of its row's `before`. */
export function requestTo(id: OperationId, token: string): OperationRequest {
  const row: ValidRequest = validRequests[id];
  const { method, security, bodyType, since } = operation(id);
  const documented = documentedValues(id);
  return {
    method,
    path: { ...documented.path, ...row.path },
    query: new URLSearchParams({ ...documented.query, ...row.query }).toString(),
    headers: {
      ...(security && { authorization: `Bearer ${token}` }),
      ...(bodyType !== undefined && { 'content-type': contentType(bodyType) }),
      ...(since !== undefined && { 'svc-version': since }),
      ...row.headers,
    },
    body: bodyType === undefined ? null : encoded(bodyOf(row, documented.body), bodyType),
  };
}

function bodyOf({ name, body }: ValidRequest, documented: unknown): unknown {
  if (body !== undefined || name === undefined) return body ?? documented;
  const { metadata, ...rest } = documented as { readonly metadata: object };
  return { ...rest, metadata: { ...metadata, name } };
}

const contentType = (type: string): string => (type === 'multipart/form-data' ? `${type}; boundary=${BOUNDARY}` : type);

function encoded(body: unknown, type: string): string {
  if (type === 'application/x-www-form-urlencoded')
    return new URLSearchParams(body as Record<string, string>).toString();
  if (type === 'multipart/form-data') return multipart(body as Record<string, string>);
  return type === 'application/json' ? JSON.stringify(body) : String(body);
}

const BOUNDARY = 'boundary-of-the-parts';

function multipart(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"; filename="${name}"\r\n\r\n${value}\r\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}

/** Path and query below the mock's own address. */
export function urlOf({ target, addresses }: MockAccess, id: OperationId, { path, query }: OperationRequest): string {
  const { surface, path: template } = operation(id);
  const address = surface === 'sandbox' ? String(target.addresses.sandbox) : addresses[surface];
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => path[name] ?? '');
  return new URL(address).pathname.replace(/\/$/, '') + filled + (query === '' ? '' : `?${query}`);
}
