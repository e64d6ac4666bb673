/** Invalid writes: each must be refused without effect. */
import * as fc from 'fast-check';
import { managementReadAt, operation } from '../../../spec/operations.ts';
import type { Run } from '../../engine/run.ts';
import { isSuccessful } from '../../target/eventually.ts';
import type { Inputs } from '../../engine/for-all.ts';
import { isFields } from '../../json/fields.ts';
import { statusClass } from '../../expect/status.ts';
import type { Exchange } from '../../target/client.ts';
import type { CallInput } from '../../target/request-types.ts';
import type { Mismatch } from '../../target/violation.ts';
import { mayBeFull } from './quota.ts';
import { removeCreated } from './removal.ts';
import { clientFor, callerVariants } from './caller-variants.ts';
import type { CallerVariant } from './caller-variants.ts';
import { acceptedWrites, readBack, writeTitle } from './writes.ts';
import type { Write } from './writes.ts';

export interface InvalidWrites<T extends object> {
  /** Only writes that the target accepts without the invalid part are tested. */
  readonly candidates: readonly Write[];
  /** The only invalid part of a request. */
  readonly invalidPart: Inputs<T>;
  /** Each is tested with every operation. */
  readonly boundaries?: readonly T[];
  /** One of each class is tested with every operation. Callers, headers and additional labels rotate. */
  readonly examples: readonly T[];
  /** The mistake that an invalid part makes. Defaults to one for each part. */
  readonly classOf?: (invalidPart: T) => string;
  /** Each tested with one operation, chosen by the seed. */
  readonly furtherExamples?: readonly T[];
  /** The request with the invalid part. Its name or displayName is `name`, or begins with it and a hyphen. */
  readonly request: (write: Write, name: string, invalidPart: T) => CallInput;
}

interface InvalidWrite<T> {
  /** The title of the write. */
  readonly operation: string;
  readonly variant: CallerVariant;
  readonly labelled: boolean;
  readonly invalidPart: T;
}

/** Throws NotTried if the target accepts none of the writes without the invalid part. */
export async function eachRefused<T extends object>(run: Run, invalid: InvalidWrites<T>): Promise<void> {
  const { candidates, invalidPart, boundaries = [], examples, furtherExamples = [], request } = invalid;
  const { classOf = JSON.stringify } = invalid;
  const accepted = await acceptedWrites(run, candidates);
  const byTitle = new Map(accepted.map((write) => [writeTitle(write), write]));
  const titles = [...byTitle.keys()];
  const variants = callerVariants(run);
  const names: string[] = [];
  const used = new Set<Write>();
  const inputAt = (part: T, index: number, place: number): InvalidWrite<T> => {
    const count = index + place + run.seed;
    const labelled = (count + Math.floor(count / variants.length)) % 2 === 1;
    return { operation: titles[place]!, variant: variants[count % variants.length]!, labelled, invalidPart: part };
  };
  const everywhere = (parts: readonly T[]): InvalidWrite<T>[] =>
    parts.flatMap((each, index) => titles.map((_, place) => inputAt(each, index, place)));
  const further = furtherExamples.map((each, index) => inputAt(each, index, (index + run.seed) % titles.length));
  let hasLeftovers = false;
  const inputs = {
    operation: fc.constantFrom(...titles),
    variant: fc.constantFrom(...variants),
    labelled: fc.boolean(),
    invalidPart: fc.record(invalidPart),
  };
  const isRefused = async (input: InvalidWrite<T>): Promise<readonly Mismatch[]> => {
    if (hasLeftovers) return []; // An accepted resource could not be removed: stop shrinking.
    const write = run.need(byTitle.get(input.operation), input.operation);
    const name = run.newName();
    names.push(name);
    used.add(write);
    const plain = request(write, name, input.invalidPart);
    const sent = input.labelled ? withLabels(plain) : plain;
    const exchange = await clientFor(run, input.variant).call(write.id, sent);
    if (isSuccessful(exchange) && write.agent === undefined)
      hasLeftovers = !(await removeCreated(run, write.id, sent, exchange));
    // A full quota may be noticed before the invalid part.
    return mayBeFull(exchange) ? [] : statusClass(exchange, '4xx');
  };
  const all = { runs: 0, sequential: false, all: true };
  if (boundaries.length > 0) await run.forAll(inputs, isRefused, { ...all, examples: everywhere(boundaries) });
  await run.forAll(inputs, isRefused, {
    sequential: false,
    classOf: ({ operation: title, invalidPart: part }) => `${title}: ${classOf(part)}`,
    examples: everywhere(examples),
  });
  if (further.length > 0) await run.forAll(inputs, isRefused, { ...all, examples: further });
  for (const write of used) run.check(await effectsOfRefused(run, write, names));
}

/** Unchanged if metadata is not an object. Labels of the invalid part take precedence. */
function withLabels(input: CallInput): CallInput {
  const { metadata, ...rest } = (input.body ?? {}) as { metadata?: unknown };
  if (!isFields(metadata)) return input;
  return { ...input, body: { ...rest, metadata: { labels: { assay: 'refused' }, ...metadata } } };
}

/** Resources that exist under refused names. Empty if the target cannot list them. */
async function effectsOfRefused(run: Run, write: Write, names: readonly string[]): Promise<Mismatch[]> {
  const exchange = await readAfterwards(run, write);
  if (exchange === undefined || !isSuccessful(exchange)) return [];
  const returned = [...new Set(namesIn(exchange.response.json))];
  return names
    .filter((name) => returned.some((each) => each === name || each.startsWith(`${name}-`)))
    .map((name) => ({ expected: `no effect of a refused ${write.id}`, actual: `${name} exists`, exchange }));
}

/** The list of its resources, or the agent. Neither read is documented. */
async function readAfterwards(run: Run, { id, agent, input }: Write): Promise<Exchange | undefined> {
  if (agent !== undefined) return readBack(run, id, input({}));
  const list = managementReadAt(operation(id).path);
  return list === undefined || list.pathParameters.length > 0 ? undefined : run.client.call(list.id);
}

/** Every name and displayName, at any depth. */
function namesIn(json: unknown): string[] {
  if (typeof json !== 'object' || json === null) return [];
  return Object.entries(json).flatMap(([key, value]: [string, unknown]) =>
    (key === 'name' || key === 'displayName') && typeof value === 'string' ? [value] : namesIn(value),
  );
}
