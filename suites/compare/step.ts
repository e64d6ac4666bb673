/** One request of a sequence as data. What differs by target is a reference: a new name, a known resource, an earlier response. */
import { DEFAULT_BRAND, headerNames } from '../../spec/brand.ts';
import type { OperationId } from '../../spec/operations.ts';
import { fieldsOf } from '../json/fields.ts';
import type { CallInput } from '../target/request-types.ts';
import type { Exchange } from '../target/exchange.ts';
import { basicCredential } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import { NotTried } from '../target/violation.ts';

/**
 * A credential of the target file, none, an invented one, the strongest one or the API key without its last character, or one
 * that the sequence got.
 */
export type StepCaller =
  | 'strongest'
  | 'apiKey'
  | 'member'
  | 'workspaceAdmin'
  | 'unrelated'
  | 'expired'
  | 'none'
  | 'invented'
  | 'cut'
  | 'cutKey'
  | { readonly token: string };

export interface Step {
  readonly operation: OperationId;
  /** What is special about the request, such as `valid` or `no credential`. */
  readonly context: string;
  readonly caller: StepCaller;
  /** Whether the credential is in the header with the brand. Defaults to false. */
  readonly isBranded?: boolean;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Names with the default brand. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** In place of `body`, as it is. */
  readonly text?: string;
}

/** What the references of a sequence mean on one target. */
export interface Meanings {
  /** `<new 3>`: the third new name. `<new 3 of 49>`: another one, of 49 characters. */
  readonly nameAt: (number: string) => string;
  /** `<own agent>`: a value of the target, by its path in `ownValues`. */
  readonly own: unknown;
  /** `<step 4 /meta/nextCursor>` or `<step 4 header location>`: a part of the response to the fourth step. */
  readonly responses: ReadonlyMap<number, Exchange>;
}

/** What a target file knows, for references. */
export const ownValues = ({ resources, workspace, account, client }: Target): object => ({
  ...resources,
  workspace,
  account,
  ...(client && {
    clientBasic: basicCredential(client).value,
    wrongBasic: basicCredential({ ...client, secret: { ...client.secret, value: 'assay-wrong' } }).value,
    clientId: client.id,
    redirectUri: client.redirectUri,
  }),
});

const REFERENCE = /<(new|own|step) ([^<>]+)>/g;

/** The references in a step, such as `new 3`. */
export function referencesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map(([, kind, what]) => `${kind} ${what}`);
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(referencesIn) : [];
}

/** The numbers of the steps whose responses a step uses. */
export const usedSteps = (step: Step): number[] =>
  referencesIn(step).flatMap((each) => (each.startsWith('step ') ? [Number.parseInt(each.slice(5), 10)] : []));

/** The new names that a step uses or creates. */
export const usedNames = (step: Step): string[] => referencesIn(step).filter((each) => each.startsWith('new '));

/** Throws NotTried if a target does not have what is referred to. */
export function withMeanings<T>(value: T, meanings: Meanings): T {
  if (typeof value === 'string')
    return value.replace(REFERENCE, (_, kind: string, what: string) => meaningOf(kind, what, meanings)) as T;
  if (Array.isArray(value)) return value.map((each) => withMeanings(each as unknown, meanings)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withMeanings(each as unknown, meanings)]),
  ) as T;
}

function meaningOf(kind: string, what: string, { nameAt, own, responses }: Meanings): string {
  if (kind === 'new') return nameAt(what);
  const [number = '', ...place] = what.split(' ');
  const found = kind === 'own' ? valueAt(own, what.split('.')) : partOf(responses.get(Number(number)), place.join(' '));
  if (typeof found === 'string' || typeof found === 'number') return String(found);
  throw new NotTried(
    kind === 'own' ? `resources.${what} in the target file` : `${place.join(' ')} in the response to step ${number}`,
  );
}

function partOf(exchange: Exchange | undefined, place: string): unknown {
  if (place.startsWith('header ')) return exchange?.response.headers[place.slice('header '.length)];
  return valueAt(exchange?.response.json, place.split('/').slice(1));
}

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((at, key) => (Array.isArray(at) ? (at as unknown[])[Number(key)] : fieldsOf(at)?.[key]), value);

/** Header names get the brand of the target. */
export function callInputOf(step: Step, meanings: Meanings, brand: string): CallInput {
  const { path, query, headers = {}, body } = withMeanings({ ...step }, meanings);
  const branded = headerNames(brand);
  const names = new Map(
    Object.entries(headerNames(DEFAULT_BRAND)).map(([key, name]) => [name, branded[key as keyof typeof branded]]),
  );
  return {
    ...(path && { path: { ...path } }),
    ...(query && { query: { ...query } }),
    ...(body !== undefined && { body }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [names.get(name) ?? name, value])),
  };
}
