/** errors.management.*: the documented error bodies of the management API. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../engine/conforms.ts';
import { errorBody } from '../expect/error-body.ts';
import { fieldsOf } from '../json/fields.ts';
import { isJson } from '../expect/is-json.ts';
import type { Exchange } from '../target/client.ts';
import { isVersionRefusal } from '../kit/versions/with-version.ts';
import { flawsIn, judges } from '../judge/judgement.ts';
import type { Facts, Seen } from '../judge/seen.ts';
import { isRefusedVersion, mayHaveBody, versionedOperations } from '../kit/versions/seen-version.ts';
import { DOCUMENTED, agentUpdateErrors, metricsDenials, otherManagementErrors, versionRefusals } from './provoke.ts';
import { sandboxErrors } from './provoke-sandbox.ts';
import { checkErrors } from './provocations.ts';

/** An error of an agent update with a documented body. */
const isUpdateError = ({ operation, status }: Seen): boolean =>
  operation.id === 'updateAgent' && DOCUMENTED.has(status);

/** Metrics that are documented as denied to a caller who is not an account admin. */
const isDenial = (seen: Seen): boolean =>
  seen.operation.id === 'getAccountMetrics' &&
  seen.status === 403 &&
  mayHaveBody(seen) &&
  (seen.parameter('workspace') !== undefined || seen.parameter('groupBy')?.split(',').includes('workspace') === true);

/**
 * Whether the error is certainly one that the document describes: the request has its cause, or the body names an error. Any other
 * may be that of a gateway, which the API has never seen.
 */
function isDocumentedError(seen: Seen, facts: Facts): boolean {
  if (!isUpdateError(seen) && !isDenial(seen)) return false;
  const { status, caller, json, path } = seen;
  if (typeof fieldsOf(json)?.['error'] === 'string') return true;
  // A gateway may refuse a URL that it cannot decode.
  if (!Object.values(path).every((value) => /^[\w~-][\w.~-]*$/.test(value))) return false;
  if (isDenial(seen)) return caller === 'member';
  return (status === 401 && caller === 'none') || (status === 400 && flawsIn(seen, facts).length > 0);
}

judges('errors.management.body-shape', ['updateAgent', 'getAccountMetrics'], (seen, facts) => {
  // Another body than JSON breaks errors.management.is-json.
  if (seen.json === undefined || !isDocumentedError(seen, facts)) return undefined;
  return isUpdateError(seen) ? errorBody(seen.exchange) : hasMessage(seen.exchange);
});

conforms('errors.management.body-shape', async (run) => {
  const count = await checkErrors(run, [
    { provocations: await agentUpdateErrors(run), property: errorBody },
    { provocations: metricsDenials(run), property: hasMessage },
  ]);
  run.need(count > 0, 'an error of agent update (agent, write), or of metrics (member)');
});

judges('errors.management.code-is-the-status', versionedOperations, (seen) => {
  if (seen.status < 400 || seen.json === undefined) return undefined;
  return hasStatusAsCode(seen.exchange) ? codeIsTheStatus(seen.exchange) : undefined;
});

conforms('errors.management.code-is-the-status', async (run) => {
  const hasCode = (exchange: Exchange): boolean => codeOf(exchange) !== undefined;
  const property = codeIsTheStatus;
  const others = [metricsDenials(run), await otherManagementErrors(run), await versionRefusals(run)];
  const count = await checkErrors(run, [
    { provocations: await agentUpdateErrors(run), property, isRelevant: hasCode },
    // An undocumented body counts as an Error body only if its code could be an HTTP status.
    ...others.map((provocations) => ({ provocations, property, isRelevant: hasStatusAsCode })),
  ]);
  run.need(count > 0, 'an Error body that has code');
});

const sandboxOperations = ['writeTree', 'listMultipartUploads', 'watchDirectory'] as const;

judges('errors.management.is-json', [...versionedOperations, ...sandboxOperations], (seen, facts) => {
  if (seen.status < 400 || !mayHaveBody(seen)) return undefined;
  const { json } = seen;
  seen.responseHeader('content-type');
  const isVersion = seen.status === 400 && isRefusedVersion(seen);
  // Without JSON, the error of a sandbox may come from a gateway.
  const isSandbox = seen.operation.surface === 'sandbox' && typeof fieldsOf(json)?.['error'] === 'string';
  return isVersion || isSandbox || isDocumentedError(seen, facts) ? isJson(seen.exchange) : undefined;
});

conforms('errors.management.is-json', async (run) => {
  const documented = [await agentUpdateErrors(run), metricsDenials(run), sandboxErrors(run)];
  const count = await checkErrors(run, [
    { provocations: await versionRefusals(run), property: isJson, isRelevant: meansTheVersion },
    ...documented.map((provocations) => ({ provocations, property: isJson })),
  ]);
  run.need(count > 0, 'an error with a documented body');
});

/**
 * The code of an Error body. Undefined if the response is not one or has no code. Codes of another type are reported by
 * body-shape.
 */
function codeOf({ response: { json } }: Exchange): number | undefined {
  const { error, code } = (json ?? {}) as { error?: unknown; code?: unknown };
  return typeof error === 'string' && typeof code === 'number' ? code : undefined;
}

function hasStatusAsCode(exchange: Exchange): boolean {
  const code = codeOf(exchange);
  return code !== undefined && Number.isInteger(code) && code >= 100 && code < 600;
}

function codeIsTheStatus(exchange: Exchange): Mismatch[] {
  const { status } = exchange.response;
  const code = codeOf(exchange);
  return code === status ? [] : [{ expected: `code ${status}, the HTTP status`, actual: `code ${code}`, exchange }];
}

function hasMessage(exchange: Exchange): Mismatch[] {
  const { message } = (exchange.response.json ?? {}) as { message?: unknown };
  return typeof message === 'string'
    ? []
    : [{ expected: 'message: a string', actual: `message: ${JSON.stringify(message)}`, exchange }];
}

/** Whether the body is not JSON, which is a mismatch, or has the documented shape. */
function meansTheVersion(exchange: Exchange): boolean {
  return exchange.response.json === undefined || isVersionRefusal(exchange);
}
