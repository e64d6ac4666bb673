/** errors.management.*: the documented error bodies of the management API. */
import { conforms } from '../engine/conforms.ts';
import type { Mismatch } from '../engine/conforms.ts';
import { errorBody } from '../expect/error-body.ts';
import { isJson } from '../expect/is-json.ts';
import type { Exchange } from '../target/client.ts';
import { isVersionRefusal } from '../kit/versions/with-version.ts';
import { agentUpdateErrors, metricsDenials, otherManagementErrors, versionRefusals } from './provoke.ts';
import { sandboxErrors } from './provoke-sandbox.ts';
import { checkErrors } from './provocations.ts';

conforms('errors.management.body-shape', async (run) => {
  const updateCount = await checkErrors(run, await agentUpdateErrors(run), errorBody);
  const denialCount = await checkErrors(run, metricsDenials(run), hasMessage);
  run.need(updateCount + denialCount > 0, 'an error of agent update (agent, write), or of metrics (member)');
});

conforms('errors.management.code-is-the-status', async (run) => {
  const hasCode = (exchange: Exchange): boolean => codeOf(exchange) !== undefined;
  let count = await checkErrors(run, await agentUpdateErrors(run), codeIsTheStatus, hasCode);
  const others = [metricsDenials(run), await otherManagementErrors(run), await versionRefusals(run)];
  // An undocumented body counts as an Error body only if its code could be an HTTP status.
  for (const errors of others) count += await checkErrors(run, errors, codeIsTheStatus, hasStatusAsCode);
  run.need(count > 0, 'an Error body that has code');
});

conforms('errors.management.is-json', async (run) => {
  const documented = [await agentUpdateErrors(run), metricsDenials(run), sandboxErrors(run)];
  let count = await checkErrors(run, await versionRefusals(run), isJson, meansTheVersion);
  for (const errors of documented) count += await checkErrors(run, errors, isJson);
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
