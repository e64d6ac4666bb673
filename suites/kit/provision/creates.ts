/** The documented operations that create resources with metadata, and valid bodies for them. */
import { operations } from '../../../spec/operations.ts';
import type { Operation, OperationId } from '../../../spec/operations.ts';
import { limits, mailSecretKeys } from '../../../spec/values.ts';
import { exampleBodies } from '../../generators/invalid-body.ts';
import { plainDisplayNameAt, variedMetadataAt } from '../../generators/varied-metadata.ts';
import { isFields } from '../../json/fields.ts';
import type { Run } from '../../engine/run.ts';
import { nextVariant } from './variants.ts';
import type { CallInput } from '../../target/request-types.ts';
import type { Target } from '../../target/target.ts';

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

/** A part of the spec that a run makes up, because the interface does not define what a target accepts. */
export interface MadeUpSpec {
  readonly what: string;
  readonly sample: keyof Target['samples'];
  /** Parts of it that the target file lacks, although it may have others. Defaults to none. */
  readonly lacking?: (run: Pick<Run, 'target'>) => readonly string[];
  /** Specs that are unlike each other. */
  readonly others: (spec: Fields, run: Pick<Run, 'target'>) => readonly Fields[];
}

/** What of the spec the target file may still provide, such as `samples.vpcSpec`. Undefined if nothing in it is made up. */
export function lackingSample(run: Pick<Run, 'target'>, id: OperationId): string | undefined {
  const { sample, lacking } = madeUpSpecs[id] ?? {};
  if (sample === undefined) return undefined;
  const parts = lacking?.(run) ?? [];
  if (parts.length > 0) return `samples.${sample} (${parts.join(', ')})`;
  return run.target.samples[sample] === undefined ? `samples.${sample}` : undefined;
}

const CIDR = '10.0.0.0/16';

export const madeUpSpecs: Readonly<Partial<Record<OperationId, MadeUpSpec>>> = {
  createVpc: {
    what: 'the spec of a VPC',
    sample: 'vpcSpec',
    others: (_, { target }) => {
      const region = target.resources.volume?.region ?? 'local';
      return [{ region }, { cidr: CIDR }, { region, cidr: CIDR }];
    },
  },
  createFunction: {
    what: 'the spec of a function',
    sample: 'functionSpec',
    others: (spec) => [
      withRuntime(spec, { image: 'assay/function:1' }),
      withRuntime(spec, { image: 'assay/function:1', memory: 2048 }),
      { ...spec, description: 'Made by assay' },
    ],
  },
  createIntegrationConnection: {
    what: 'the secret of a connection',
    sample: 'connectionSecrets',
    lacking: ({ target }) => {
      const given = sampleSecret(target);
      return mailSecretKeys
        .filter((key) => given[key] === undefined)
        .map((key) => `${target.resources.mailIntegration ?? ''}.${key}`);
    },
    others: (spec, { target }) =>
      ['1234567890-assay.apps.example.com', 'A1b2C3d4E5f6G7h8I9j0K1l2', '00000000-0000-4000-8000-000000000000'].map(
        (text) => {
          const madeUp = mailSecretKeys.map((key, index) => [key, `${text}${index}`]);
          return { ...spec, secret: { ...Object.fromEntries(madeUp), ...sampleSecret(target) } };
        },
      ),
  },
};

const withRuntime = (spec: Fields, more: Fields): Fields => ({
  ...spec,
  runtime: { ...(isFields(spec['runtime']) ? spec['runtime'] : {}), ...more },
});

const acceptedSpecs = new WeakMap<object, Map<OperationId, Fields>>();

/** The spec that is sent from now on. Undefined: that of the document, or of the target file. */
export function useSpec({ shared }: Pick<Run, 'shared'>, id: OperationId, spec: Fields | undefined): void {
  const known = acceptedSpecs.get(shared) ?? new Map<OperationId, Fields>();
  acceptedSpecs.set(shared, known);
  if (spec === undefined) known.delete(id);
  else known.set(id, spec);
}

/** Those whose references the target file provides. Bodies are the document's examples with these names. */
export function createOperations(run: Run): CreateOperation[] {
  const { connection, mailIntegration } = run.target.resources;
  const names: Fields = {
    integration: mailIntegration,
    integrationConnections: connection && [connection],
  };
  return creating.flatMap((operation) => {
    const spec = specOf(run, operation);
    for (const field of Object.keys(spec)) if (field in names) spec[field] = names[field];
    if (isFields(spec['secret'])) spec['secret'] = { ...spec['secret'], ...sampleSecret(run.target) };
    const isKnown = Object.values(spec).every((value) => value !== undefined);
    if (!isKnown) return [];
    const accepted = (): Fields => acceptedSpecs.get(run.shared)?.get(operation.id) ?? spec;
    return [{ id: operation.id, input: (metadata, more) => ({ body: { metadata, spec: accepted(), ...more } }) }];
  });
}

function specOf({ target: { samples } }: Run, operation: Operation): Fields {
  const { spec = {} } = exampleOf(operation) ?? {};
  if (operation.id === 'createVpc') return { ...(samples.vpcSpec ?? spec) };
  const more: Fields = { ...(operation.id === 'createFunction' && samples.functionSpec) };
  return isFields(more['runtime'])
    ? withRuntime({ ...spec, ...more, runtime: spec['runtime'] }, more['runtime'])
    : { ...spec, ...more };
}

/** The parts of the secret of the mail integration that the target file provides. */
const sampleSecret = ({ samples, resources }: Pick<Target, 'samples' | 'resources'>): Fields =>
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

export const plainDisplayName = (run: Run): string => unique(run, plainDisplayNameAt(nextVariant(run)));

/** Of letters and digits only: a target may refuse other characters, which only the rules about displayNames judge. */
export const plainestDisplayName = (run: Run): string =>
  `Assay${run.newName().slice(run.prefix.length)}`.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, limits.displayNameLength);

/** Operations that the target has accepted only without a displayName, by run. */
const withoutDisplayName = new WeakMap<object, Set<OperationId>>();

/** Notes that the target refuses every displayName, so that only the rules about them send one. */
export function sendNoDisplayName({ shared }: Pick<Run, 'shared'>, id: OperationId): void {
  withoutDisplayName.set(shared, (withoutDisplayName.get(shared) ?? new Set()).add(id));
}

/** For a write whose refusal must not be because of its metadata. */
export const plainestMetadata = (run: Run, id: OperationId): { name: string; displayName?: string } => ({
  name: run.newName(),
  ...(withoutDisplayName.get(run.shared)?.has(id) !== true && { displayName: plainestDisplayName(run) }),
});

/** The displayName of no other resource of the run, which a target may refuse. */
export const unique = (run: Run, displayName: string): string =>
  `${run.newName().slice(run.prefix.length)}-${displayName}`.slice(0, limits.displayNameLength);

/** Metadata of a create whose refusal has no meaning: with letters beyond ASCII, and with labels. */
export const variedMetadata = (run: Run): { name: string; displayName: string; labels: Record<string, string> } => ({
  name: run.newName(),
  ...variedDescription(run),
});

/** Without the name. */
export function variedDescription(run: Run): { displayName: string; labels: Record<string, string> } {
  const { displayName, labels } = variedMetadataAt(nextVariant(run));
  return { displayName: unique(run, displayName), labels };
}

const RICH_TEXT = `by assay: "R&D" (5% <new>), it's/was {a} [b] #1 @2 \\ ~ ^`.padEnd(limits.displayNameLength, '!');

/** All metadata that a client may set, at maximum length. */
export const richMetadata = (run: Run): { name: string; displayName: string; labels: Record<string, string> } => ({
  name: nameOfLength(run, limits.nameLength),
  displayName: unique(run, RICH_TEXT),
  labels: { team: 'assay', stage: 'in test, "now"' },
});

const PADDING = 'a1-b2c-d3efghijklmnopqrstuvwxyz0456789';

/** A new name of exactly `length` characters, at least 20. */
export function nameOfLength(run: Run, length: number): string {
  const begin = `${run.newName()}-`;
  const filling = PADDING.repeat(Math.ceil(length / PADDING.length));
  return `${begin}${filling.slice(0, length - begin.length - 1)}z`;
}

/** The same creation under a new name of the same length, and with another displayName. */
export function withNewName(run: Run, { body, ...input }: CallInput): CallInput {
  const { metadata, ...rest } = body as { metadata: { name: string; displayName?: string } };
  const { displayName } = metadata;
  const name = metadata.name.length < limits.nameLength ? run.newName() : nameOfLength(run, metadata.name.length);
  return {
    ...input,
    body: {
      ...rest,
      metadata: { ...metadata, name, ...(displayName !== undefined && { displayName: unique(run, displayName) }) },
    },
  };
}
