/** How long a server of ours holds a connection that nobody uses, in milliseconds. */

/** Longer than clients keep theirs: Node's five seconds close a connection just when a busy client uses it again. */
export const KEEP_ALIVE_TIMEOUT_MS = 75_000;
