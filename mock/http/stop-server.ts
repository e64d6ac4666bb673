/** Stops a server within a second: closes idle connections, waits for running requests, then closes the rest. */
import type { Server } from 'node:http';

const GRACE_MILLISECONDS = 500;

export async function stopServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const cutOff = setTimeout(() => server.closeAllConnections(), GRACE_MILLISECONDS);
  await closed;
  clearTimeout(cutOff);
}
