/** Checks that a session that the client has ended is unknown from then on. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import type { Session } from '../kit/mcp/session.ts';
import type { Exchange } from '../target/client.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';
import { hasTools, unlistedCall } from './tools.ts';

/** How long an instance of a server may not know that another one has ended the session. */
const MAX_DELAY_SECONDS = 5;

/** A server may not allow clients to end sessions: then nothing has ended. */
export async function endedSessionMismatches(run: Run, session: Session): Promise<Mismatch[]> {
  const ended = await session.end();
  if (ended === undefined || !isSuccessful(ended)) return [];
  const isUnknown = ({ response }: Exchange): boolean => response.status === 404;
  const send = async (method: string, params?: object): Promise<Exchange> => {
    const request = async () => (await session.request(method, params)).exchange;
    return eventually(request, isUnknown, Math.min(MAX_DELAY_SECONDS, run.patienceSeconds));
  };
  const found = status(await send('ping'), 404);
  if (found.length === 0 && hasTools(session)) {
    found.push(...status(await send('tools/list'), 404));
    const called = await send('tools/call', unlistedCall);
    // Another refusal may be about the tool, which no server has.
    if (isSuccessful(called)) found.push(...status(called, 404));
  }
  return citing(
    mcpSources.endedSession,
    found.map((each) => ({ ...each, before: [ended] })),
  );
}
