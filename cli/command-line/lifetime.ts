/** The lifetime of a server until a signal. */
import { exitCodeFor, onSignal } from './signals.ts';

/** Whether a server could not listen: port in use, address not of this machine, or unknown host name. */
export function isListenError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall));
}

/** Resolves on SIGINT or SIGTERM; a second one ends the process immediately. */
export function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    onSignal((signal, nth) => (nth === 1 ? resolve() : process.exit(exitCodeFor(signal))));
  });
}
