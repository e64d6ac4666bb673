/** One line per request to the mock, on standard error. */
import type { ServedRequest } from '../../mock/start-mock.ts';
import { escapeControls } from '../../reports/printable.ts';

/** Characters of the path and query, and of the reason. */
const MAX_CHARACTERS = 300;

export function logRequest(request: ServedRequest): void {
  process.stderr.write(`${requestLine(request)}\n`);
}

/** Such as `GET /v0/agents/shop 404 0.8 ms: Agent "shop" does not exist.` */
export function requestLine({ method, url, status, durationMs, reason }: ServedRequest): string {
  const outcome = status ?? 'connection dropped';
  const why = reason === undefined ? '' : `: ${shorten(reason)}`;
  return escapeControls(`${method} ${shorten(url)} ${outcome} ${formatDuration(durationMs)}${why}`);
}

function formatDuration(durationMs: number): string {
  return `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`;
}

function shorten(text: string): string {
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;
}
