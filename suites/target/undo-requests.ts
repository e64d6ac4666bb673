/** Sends the requests that undo a run, and reads what their statuses mean. */
import { setTimeout as wait } from 'node:timers/promises';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/generated/types.ts';
import type { Client } from './client.ts';
import { wasRepeated } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { isSuccess } from './ledger.ts';
import type { LedgerEntry } from './read-ledger.ts';
import type { CallInput } from './request-types.ts';
import { wasNeverSent } from './transport.ts';

export interface UndoResponse {
  /** The error message if there was no response. */
  readonly status: number | string;
  /** A first attempt failed and may have had its effect. */
  readonly isRepeated: boolean;
  /** False if the request certainly had no effect. */
  readonly wasSent: boolean;
}

export type SendUndo = (id: OperationId, input: CallInput) => Promise<UndoResponse>;

/** After this many requests in a row without a response, no more are sent. */
const MAX_FAILURES = 2;

/** A target that does not respond may be restarting. */
const REPETITIONS = 4;
const PAUSE_MS = 500;

/** The request has the same effect if it is sent twice. */
async function callAgain(call: () => Promise<Exchange>, repetitions: number): Promise<Exchange> {
  try {
    return await call();
  } catch (error) {
    if (wasNeverSent(error) || repetitions === 0) throw error;
    await wait(PAUSE_MS);
    const exchange = await callAgain(call, repetitions - 1);
    return { ...exchange, repeatedAfter: ['no response', ...exchange.repeatedAfter] };
  }
}

/** Never throws. */
export function undoRequests(client: Client): SendUndo {
  let failures: string[] = [];
  return async (id, input) => {
    const [failure] = failures;
    if (failure !== undefined && failures.length >= MAX_FAILURES)
      return { status: `no request was sent for it, after ${failure}`, isRepeated: false, wasSent: false };
    try {
      const exchange = await callAgain(() => client.call(id, input), failures.length === 0 ? REPETITIONS : 0);
      failures = [];
      return { status: exchange.response.status, isRepeated: wasRepeated(exchange), wasSent: true };
    } catch (error) {
      failures.push((error as Error).message);
      return { status: (error as Error).message, isRepeated: true, wasSent: !wasNeverSent(error) };
    }
  };
}

/** A resource may become visible a little after it was created. */
export const LAG_SECONDS = 5;

const notFoundStatuses = new Set<number | string>([404, 410]);
export const isNotFound = (status: number | string): boolean => notFoundStatuses.has(status);

/** The resource is still being changed, or another one uses it. */
export const isBusy = (status: number | string): boolean => status === 409 || status === 423;

/** Also if the target has no such operation. */
const neverExistedStatuses = new Set<number | string>([404, 405, 410, 501]);
export const neverExisted = (status: number | string): boolean => neverExistedStatuses.has(status);

export const isDone = (status: number | string): boolean => typeof status === 'number' && isSuccess(status);

export const describeStatus = (id: OperationId, status: number | string): string =>
  typeof status === 'number' ? `${id} returned status ${status}` : status;

/** Whether the target reported that it created the resource. */
export const wasCreated = ({ status }: LedgerEntry): boolean => status !== undefined && isSuccess(status);

/** Whether the target has removed such a resource before, or the removal is documented. */
export const isRemovable = (id: OperationId | undefined, removals: ReadonlySet<string>): boolean =>
  id !== undefined && (removals.has(id) || operation(id).documented);
