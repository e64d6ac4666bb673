/** Checks that a session that the client has ended is unknown from then on. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import type { Session } from '../kit/mcp/session.ts';
import { eventually, isSuccessful } from '../target/eventually.ts';

/** How long an instance of a server may not know that another one has ended the session. */
const MAX_DELAY_SECONDS = 5;

/** A server may not allow clients to end sessions: then nothing has ended. */
export async function endedSessionMismatches(run: Run, session: Session): Promise<Mismatch[]> {
  const ended = await session.end();
  if (ended === undefined || !isSuccessful(ended)) return [];
  const ping = async () => (await session.request('ping')).exchange;
  const exchange = await eventually(
    ping,
    ({ response }) => response.status === 404,
    Math.min(MAX_DELAY_SECONDS, run.patienceSeconds),
  );
  return citing(
    mcpSources.endedSession,
    status(exchange, 404).map((each) => ({ ...each, before: [ended] })),
  );
}
