/** Tells whether an answer of the router, 404, 405 or 501, is certain, or may come because something has not taken effect yet. */
import type { Operation, OperationId } from '../../spec/operations.ts';
import { fieldsOf } from '../json/fields.ts';
import { jsonIn } from '../json/json-in.ts';
import { isSuccessful } from '../target/eventually.ts';
import type { Exchange } from '../target/exchange.ts';

export interface FinalAnswers {
  /** Of an operation, with the values of its path parameters. */
  see(exchange: Exchange, operation: Operation, names: readonly string[]): void;
  /** Of an answer with 404 (to a valid request), 405 or 501: whether no wait changes it. */
  isFinal(exchange: Exchange, operation: Operation, names: readonly string[]): boolean;
  /** Whether the target certainly does not have the operation, so that no rule need look again. */
  isCertain(id: OperationId): boolean;
}

/** A second look a moment later, at what exists for certain. */
const MOMENT_MS = 250;
/** What may be starting: a workload behind an address, or what the target file names. */
const STARTING_MS = 2500;
/** Reads may show what writes do not find yet. Without an agent of the target file, only agents of the run tell. */
const UNCONFIRMED_MS = 10_000;

/** One may come from a deployment that is being replaced. */
const FINAL_COUNT = 2;

/**
 * `given`: names of the target file. `hasAgent`: whether one of them is an agent, so that updates need no agent of the run.
 * `now`: in milliseconds.
 */
export function createFinalAnswers(given: ReadonlySet<string>, hasAgent: boolean, now: () => number): FinalAnswers {
  const accepted = new Set<OperationId>();
  /** Operations of which every answer is final, and how many final answers came that do not depend on a new name. */
  const missing = new Map<OperationId, number>();
  const created = new Set<string>();
  /** Paths that a read has found. */
  const shown = new Set<string>();
  const firstAt = new Map<string, number>();

  function see(exchange: Exchange, { id, method }: Operation, names: readonly string[]): void {
    if (!isSuccessful(exchange)) return;
    accepted.add(id);
    missing.delete(id);
    if (method === 'GET') shown.add(pathOf(names));
    if (method === 'DELETE') shown.delete(pathOf(names));
    if (method === 'POST') for (const name of namesIn(exchange)) created.add(name);
  }

  /** How long an answer must stay the same. Undefined if the path may appear at any time. */
  function neededMs(operation: Operation, status: number, names: readonly string[]): number | undefined {
    const { surface, method } = operation;
    if (isOfWorkload(operation)) return status === 404 ? undefined : STARTING_MS;
    if (status !== 404) return 0;
    if (surface === 'sandbox' && method !== 'POST') return undefined;
    if (names.length === 0) return MOMENT_MS;
    const isShown = shown.has(pathOf(names));
    const isNew = names.some((name) => created.has(name));
    if (isShown && isNew) return hasAgent ? STARTING_MS : UNCONFIRMED_MS;
    if (isShown) return MOMENT_MS;
    return names.every((name) => given.has(name)) ? STARTING_MS : undefined;
  }

  /** Of a workload, or of a name that may not exist, an answer says nothing about others. */
  const isOfAll = (operation: Operation, status: number, names: readonly string[]): boolean =>
    !isOfWorkload(operation) && (status !== 404 || names.length === 0 || shown.has(pathOf(names)));

  function isFinal({ response: { status } }: Exchange, operation: Operation, names: readonly string[]): boolean {
    const { id } = operation;
    if (accepted.has(id)) return false;
    const ms = neededMs(operation, status, names);
    const key = `${id} ${status} ${pathOf(names)}`;
    firstAt.set(key, firstAt.get(key) ?? now());
    const isConfirmed = ms !== undefined && now() - firstAt.get(key)! >= ms;
    if (!isConfirmed) return missing.has(id);
    if (!isOfAll(operation, status, names)) return true;
    const isOfNewName = hasAgent && status === 404 && names.some((name) => created.has(name));
    missing.set(id, (missing.get(id) ?? 0) + (isOfNewName ? 0 : 1));
    return true;
  }

  return { see, isFinal, isCertain: (id) => (missing.get(id) ?? 0) >= FINAL_COUNT };
}

/** Whether it reaches what was deployed, which may be starting. The management of a job starts it. */
const isOfWorkload = ({ surface, id }: Operation): boolean => surface === 'inference' && id !== 'createJobExecution';

const pathOf = (names: readonly string[]): string => names.join('/');

/** The names of a created resource, as sent and as returned. */
const namesIn = ({ request, response }: Exchange): string[] =>
  [response.json, jsonIn(request.body ?? '')]
    .flatMap((body) => [fieldsOf(body)?.['name'], fieldsOf(fieldsOf(body)?.['metadata'])?.['name']])
    .filter((name) => typeof name === 'string');
