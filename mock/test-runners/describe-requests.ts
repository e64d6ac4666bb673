/** The requests of a failed test to its world, as both runners print them. */
import type { EntryView } from '../server/control/views.ts';
import type { MockWorld } from '../start-mock.ts';

/** The newest ones are printed. */
const MAX_PRINTED = 20;

/** A line per request, with the reason of each refusal. Undefined if the test has closed the world or the mock. */
export async function describeRequests(world: MockWorld): Promise<string | undefined> {
  const requests = await world.requests().catch(() => undefined);
  if (requests === undefined) return undefined;
  const omitted = Math.max(0, requests.length - MAX_PRINTED);
  const lines = requests.slice(omitted).map(describeRequest);
  if (lines.length === 0) return 'None';
  return [...(omitted === 0 ? [] : [`… ${omitted} earlier ones`]), ...lines].join('\n');
}

function describeRequest({ method, path, query, status, reason }: EntryView): string {
  const parameters = query.map((each) => each.join('=')).join('&');
  const url = parameters === '' ? path : `${path}?${parameters}`;
  const line = `${method} ${url} ${status ?? 'no response'}${reason === undefined ? '' : `: ${reason}`}`;
  return line.replaceAll(/\p{Cc}/gu, ' ');
}
