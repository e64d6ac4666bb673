/** The types of hostile traffic: kinds, attacks, and what came of an attack. */
import type * as fc from 'fast-check';
import type { MockAccess } from '../../../mock/testing/every-operation/request-types.ts';

/** The mock in its own process. */
export interface AttackedMock extends MockAccess {
  readonly port: number;
  readonly controlToken: string;
}

export interface Outcome {
  /** Of all responses, in order. */
  readonly statuses: readonly number[];
  /** Neither all responses nor the end of the connection arrived before the deadline. */
  readonly hangs: boolean;
  /** The mock closed the connection before it had sent all responses. */
  readonly isClosed: boolean;
}

/** What is sent on one connection, or one request of a shared connection. */
export interface Attack {
  /** What it is counted as: an operation, a call, or how the bytes are malformed. */
  readonly what: string;
  readonly send: () => Promise<Outcome>;
  /** A command that repeats it. */
  readonly describe: () => string;
}

export interface Kind {
  readonly name: string;
  /** Deterministic: the same seed gives the same attacks. */
  readonly attacks: fc.Arbitrary<Attack>;
  readonly requestsPerAttack: number;
  /** Attacks at the same time. */
  readonly concurrency: number;
  readonly close: () => Promise<void>;
}

/** Printed commands are for a mock that is started with `npx --no assay mock --seed 1 --control-token hostile`. */
export const PRINTED_ADDRESS = { host: '127.0.0.1', port: 4010 } as const;

/** A request without a response after this time hangs. Longer than any wait that a request may ask for. */
export const DEADLINE_MS = 90_000;
