/** Bad writes, each of which must be refused and leave nothing behind. */
import * as fc from 'fast-check';
import { operation, operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { Run } from '../run.ts';
import { isAnswered2xx } from '../eventually.ts';
import type { Inputs } from '../for-all.ts';
import { statusClass } from '../expect/status.ts';
import type { CallInput, Client, Exchange } from '../target/client.ts';
import type { Mismatch } from '../violation.ts';
import { callersOf, clientOf } from './callers.ts';
import { removed } from './short-lived.ts';
import { acceptedWrites, readBack } from './writes.ts';
import type { Write } from './writes.ts';

export interface BadWrites<T extends object> {
  /** Only what the target accepts without the fault is tried. */
  readonly among: readonly Write[];
  /** The fault. */
  readonly fault: Inputs<T>;
  /** Tried with every operation, callers taking turns. */
  readonly examples: readonly T[];
  /** Tried with one operation each, which one the seed decides. */
  readonly furtherExamples?: readonly T[];
  /** The request with the fault in it. Its name or displayName is the new name, or begins with that and a hyphen. */
  readonly request: (write: Write, name: string, fault: T) => CallInput;
}

const MOST_RUNS = 60;

/** Throws NotTried where the target accepts none of the writes without a fault. */
export async function eachRefused<T extends object>(
  run: Run,
  { among, fault, examples, furtherExamples = [], request }: BadWrites<T>,
): Promise<void> {
  const accepted = await acceptedWrites(run, among);
  const ids = accepted.map(({ id }) => id);
  const byId = new Map(accepted.map((write) => [write.id, write]));
  const callers = callersOf(run);
  const names: string[] = [];
  const turn = <Item>(items: readonly Item[], at: number) => items.slice(at % items.length, (at % items.length) + 1);
  const asked = (at: readonly OperationId[], each: T, index: number) =>
    at.flatMap((id, place) =>
      turn(callers, index + place + run.seed).map((caller) => ({ operation: id, caller, fault: each })),
    );
  const everywhere = [
    ...examples.flatMap((each, index) => asked(ids, each, index)),
    ...furtherExamples.flatMap((each, index) => asked(turn(ids, index + run.seed), each, index)),
  ];
  await run.forAll(
    { operation: fc.constantFrom(...ids), caller: fc.constantFrom(...callers), fault: fc.record(fault) },
    async (input) => {
      const write = run.need(byId.get(input.operation), input.operation);
      const name = run.newName();
      names.push(name);
      return refused(run, write, request(write, name, input.fault), clientOf(run, input.caller));
    },
    { runs: Math.min(run.runs, MOST_RUNS), examples: everywhere },
  );
  for (const write of accepted) run.check(await traces(run, write, names));
}

async function refused(run: Run, { id, agent }: Write, input: CallInput, as: Client): Promise<Mismatch[]> {
  const exchange = await as.call(id, input);
  if (isAnswered2xx(exchange) && agent === undefined) await removed(run, id, input);
  return statusClass(exchange, '4xx');
}

/** What is shown afterwards under names that were refused: nothing. Nothing is known where the target has no way to show it. */
async function traces(run: Run, write: Write, names: readonly string[]): Promise<Mismatch[]> {
  const exchange = await shownAfter(run, write);
  if (exchange === undefined || !isAnswered2xx(exchange)) return [];
  const shown = [...new Set(namesIn(exchange.answer.json))];
  return names
    .filter((name) => shown.some((each) => each === name || each.startsWith(`${name}-`)))
    .map((name) => ({ expected: `no effect of a ${write.id} that was refused`, actual: `${name} is there`, exchange }));
}

/** The list of what it creates, or the agent; neither is documented. */
async function shownAfter(run: Run, { id, agent, input }: Write): Promise<Exchange | undefined> {
  if (agent !== undefined) return readBack(run, id, input({}));
  const { path } = operation(id);
  const list = operations.find((each) => each.surface === 'management' && each.method === 'GET' && each.path === path);
  return list === undefined || list.pathParameters.length > 0 ? undefined : run.client.call(list.id);
}

/** Every name and displayName, at any depth. */
function namesIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]: [string, unknown]) =>
    (key === 'name' || key === 'displayName') && typeof value === 'string' ? [value] : namesIn(value),
  );
}
