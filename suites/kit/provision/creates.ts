/** The documented operations that create resources with metadata, and valid bodies for them. */
import { operations } from '../../../spec/operations.ts';
import type { Operation, OperationId } from '../../../spec/operations.ts';
import { limits } from '../../../spec/values.ts';
import { exampleBodies } from '../../generators/invalid-body.ts';
import { plainDisplayNameAt, variedMetadataAt } from '../../generators/varied-metadata.ts';
import { isFields } from '../../json/fields.ts';
import type { Run } from '../../engine/run.ts';
import { nextVariant } from './variants.ts';
import type { CallInput } from '../../target/request-types.ts';

type Fields = Record<string, unknown>;

/** A create with a spec that this target should accept. */
export interface CreateOperation {
  readonly id: OperationId;
  /** `more` is merged into the body next to metadata and spec. */
  readonly input: (metadata: object, more?: object) => CallInput;
}

/** From the document's example of the body. Undefined if it has no metadata. */
function exampleOf(operation: Operation): { metadata: Fields; spec: Fields } | undefined {
  const [example] = exampleBodies(operation) as ({ metadata?: Fields; spec?: Fields } | undefined)[];
  return example?.metadata === undefined ? undefined : { metadata: example.metadata, spec: example.spec ?? {} };
}

const creating = operations.filter(
  (each) => each.documented && each.surface === 'management' && each.method === 'POST' && exampleOf(each) !== undefined,
);

/** Those whose references the target file provides. Bodies are the document's examples with these names. */
export function createOperations(run: Run): CreateOperation[] {
  const { connection, mailIntegration } = run.target.resources;
  const { vpcSpec } = run.target.samples;
  const names: Fields = {
    integration: mailIntegration,
    integrationConnections: connection && [connection],
  };
  return creating.flatMap((operation) => {
    const spec = { ...((operation.id === 'createVpc' ? vpcSpec : undefined) ?? exampleOf(operation)?.spec) };
    for (const field of Object.keys(spec)) if (field in names) spec[field] = names[field];
    if (isFields(spec['secret'])) spec['secret'] = { ...spec['secret'], ...sampleSecret(run) };
    const isKnown = Object.values(spec).every((value) => value !== undefined);
    return isKnown ? [{ id: operation.id, input: (metadata, more) => ({ body: { metadata, spec, ...more } }) }] : [];
  });
}

/** The parts of the secret of the mail integration that the target file provides. */
const sampleSecret = ({ target: { samples, resources } }: Run): Fields =>
  Object.fromEntries(
    Object.entries(samples.connectionSecrets?.[resources.mailIntegration ?? ''] ?? {}).map(([key, { value }]) => [
      key,
      value,
    ]),
  );

/**
 * With a displayName, because the document's examples of connections and functions have one. It is another one in each
 * create of a case.
 */
export const plainMetadata = (run: Run): { name: string; displayName: string } => ({
  name: run.newName(),
  displayName: plainDisplayName(run),
});

export const plainDisplayName = (run: Run): string => plainDisplayNameAt(nextVariant(run));

/** Metadata of a create whose refusal has no meaning: with letters beyond ASCII, and with labels. */
export const variedMetadata = (run: Run): { name: string; displayName: string; labels: Record<string, string> } => ({
  name: run.newName(),
  ...variedMetadataAt(nextVariant(run)),
});

/** All metadata that a client may set, at maximum length. */
export const richMetadata = (run: Run): { name: string; displayName: string; labels: Record<string, string> } => ({
  name: nameOfLength(run, limits.nameLength),
  displayName: `Made by assay: "R&D" (50% <new>), it's/was {a} [b] #1 @2 \\ ~ ^`.padEnd(limits.displayNameLength, '!'),
  labels: { team: 'assay', stage: 'in test, "now"' },
});

const PADDING = 'a1-b2c-d3efghijklmnopqrstuvwxyz0456789';

/** A new name of exactly `length` characters, at least 20. */
export function nameOfLength(run: Run, length: number): string {
  const begin = `${run.newName()}-`;
  const filling = PADDING.repeat(Math.ceil(length / PADDING.length));
  return `${begin}${filling.slice(0, length - begin.length - 1)}z`;
}

/** The same creation under a new name of the same length. */
export function withNewName(run: Run, { body, ...input }: CallInput): CallInput {
  const { metadata, ...rest } = body as { metadata: { name: string } };
  const name = metadata.name.length < limits.nameLength ? run.newName() : nameOfLength(run, metadata.name.length);
  return { ...input, body: { ...rest, metadata: { ...metadata, name } } };
}
