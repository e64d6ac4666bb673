/** A raw connection to the mock: the statuses that arrive on it, and when it is over. */
import { connect, type Socket } from 'node:net';
import { DEADLINE_MS, PRINTED_ADDRESS, type AttackedMock, type Outcome } from './attack.ts';

export interface RawSocket {
  readonly socket: Socket;
  readonly statuses: readonly number[];
  /** Resolves to whether it happened before the deadline: `wanted` responses began to arrive, or the connection is closed. */
  readonly responses: (wanted: number, deadlineMs?: number) => Promise<boolean>;
  /** Resolves to whether the connection is closed before the deadline. */
  readonly closed: (deadlineMs?: number) => Promise<boolean>;
  readonly isClosed: () => boolean;
  /** Ends the connection at once. */
  readonly reset: () => void;
}

/** Of final responses. No body of the mock contains a status line. */
const STATUS = /HTTP\/1\.1 ([2-5]\d\d) /g;
const STATUS_LENGTH = 'HTTP/1.1 200 '.length;

export function openSocket({ port }: AttackedMock): RawSocket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const statuses: number[] = [];
  const listeners = new Set<() => void>();
  let isClosed = false;
  let rest = '';
  const notify = () => {
    for (const listener of listeners) listener();
  };
  socket.on('data', (data) => {
    const text = rest + data.toString('latin1');
    for (const [, status] of text.matchAll(STATUS)) statuses.push(Number(status));
    // What may be the beginning of a status line that continues in the next piece.
    rest = text.slice(Math.max(text.lastIndexOf('HTTP/1.1 '), text.length - STATUS_LENGTH + 1, 0));
    if (rest.length >= STATUS_LENGTH) rest = text.slice(-STATUS_LENGTH + 1);
    notify();
  });
  // A reset by the mock is an end like any other.
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
    notify();
  });
  const until = (isEnough: () => boolean, deadlineMs: number) =>
    new Promise<boolean>((resolve) => {
      if (isEnough()) return resolve(true);
      const end = (result: boolean) => {
        clearTimeout(timer);
        listeners.delete(listener);
        resolve(result);
      };
      const timer = setTimeout(() => end(false), deadlineMs);
      const listener = () => {
        if (isEnough()) end(true);
      };
      listeners.add(listener);
    });
  return {
    socket,
    statuses,
    responses: (wanted, deadlineMs = DEADLINE_MS) => until(() => isClosed || statuses.length >= wanted, deadlineMs),
    closed: (deadlineMs = DEADLINE_MS) => until(() => isClosed, deadlineMs),
    isClosed: () => isClosed,
    // A reset waits until everything is sent, which never happens if the mock does not read.
    reset: () => void (socket.writableLength > 0 ? socket.destroy() : socket.resetAndDestroy()),
  };
}

export const outcomeOf = ({ statuses, isClosed }: RawSocket, hangs: boolean): Outcome => ({
  statuses,
  hangs,
  isClosed: isClosed() && statuses.length === 0,
});

/** A shell command that sends these bytes. */
export function bytesCommand(bytes: Uint8Array): string {
  const text = [...bytes.subarray(0, MAX_PRINTED)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w .,:;/{}"=@?&+*<>()[\]-]/.test(character) ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    })
    .join('');
  const omitted = bytes.length > MAX_PRINTED ? ` # and ${bytes.length - MAX_PRINTED} more bytes` : '';
  return `printf '${text}' | nc -q 2 ${PRINTED_ADDRESS.host} ${PRINTED_ADDRESS.port}${omitted}`;
}

const MAX_PRINTED = 4000;
