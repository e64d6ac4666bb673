/** How long the project's servers keep an idle connection open. */

/** Longer than clients keep idle connections: Node's default of five seconds closes them just as a busy client reuses them. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
