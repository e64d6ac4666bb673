/** Names that a preferred upstream has, so that the mock knows them in what it answers itself. */
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { isObject } from '../../spec/json-object.ts';
import { sameApartFromRequest } from '../../spec/missing-operation.ts';
import { placeAt } from '../domains/resources/kinds.ts';
import type { Reply } from '../http/reply.ts';
import { findResource } from '../state/resources.ts';
import { WorldFileError } from '../state/world-file-error.ts';
import { timestamp } from '../time/clock.ts';
import { addResource } from '../world/load.ts';
import type { Context } from './context.ts';
import type { Route } from './routes.ts';
import type { ServedWorld } from './served-world.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Ids of accounts by the world of the upstream. The mock has one account of its own in their place. */
const accountsOfUpstream = new WeakMap<ServedWorld, Set<string>>();

const DAY_SECONDS = 86_400;

/** The same reply with its whole body, which a stream would give only once. */
export async function withWholeBody(reply: Reply): Promise<Reply> {
  return reply.body instanceof Readable ? { ...reply, body: await buffer(reply.body) } : reply;
}

/** Of a 2xx response to a management request: the resources and accounts in it, and the resource that it is about. */
export function learnNames(served: ServedWorld, { operation, params }: Route, { body }: Reply): void {
  const json = parsed(body);
  if (operation.id === 'listAccounts') return noteAccounts(served, json);
  const [collection, name] = collectionOf(operation.path, params);
  const shown =
    name === undefined
      ? [...itemsOf(json), fieldsOf(json) ?? {}]
      : [{ ...fieldsOf(json), metadata: { ...metadataIn(json), name } }];
  for (const item of shown) addIfUnknown(served, collection, item);
}

/** With the mock's own account in place of one of the upstream. */
export function withOwnAccount(served: ServedWorld, route: Route): Route {
  const { accountId } = route.params;
  if (accountId === undefined || accountsOfUpstream.get(served)?.has(accountId) !== true) return route;
  return { ...route, params: { ...route.params, accountId: served.target.account ?? accountId } };
}

/**
 * Whether a 404 means that the upstream has no such operation: an unknown path gets the same response. `ofUnknownPath`: the
 * response to the same method at this path.
 */
export async function isOfMissingRoute(
  { path, url }: Context,
  reply: Reply,
  ofUnknownPath: (path: string) => Promise<Reply>,
): Promise<boolean> {
  const unknown = `${path.slice(0, path.indexOf('/', 1))}/assay-unknown-path`;
  const other = await withWholeBody(await ofUnknownPath(unknown));
  return sameApartFromRequest(
    { status: reply.status, text: textOf(reply.body), url },
    { status: other.status, text: textOf(other.body), url: unknown },
  );
}

const textOf = (body: unknown): string => (Buffer.isBuffer(body) ? body.toString() : String(body));

/** Such as `agents` and the name of one, or none in the path of a list. */
function collectionOf(path: string, params: Route['params']): [collection: string, name: string | undefined] {
  const segments = path
    .slice(1)
    .split('/')
    .map((each) => (each.startsWith('{') ? (params[each.slice(1, -1)] ?? '') : each));
  const isNamed = path.endsWith('}');
  return isNamed ? [segments.slice(0, -1).join('/'), segments.at(-1)] : [segments.join('/'), undefined];
}

/** Of a workspace of the mock, whatever the rules of the mock say about its spec. Nothing if its name is invalid. */
function addIfUnknown(served: ServedWorld, collection: string, item: Fields): void {
  const { world } = served;
  const workspace = world.workspaces.get(served.target.workspace ?? '');
  const { name, displayName, labels } = metadataIn(item);
  if (workspace === undefined || typeof name !== 'string') return;
  const place = placeAt(workspace, collection);
  if (place === undefined || findResource(world, place.key, name) !== undefined) return;
  const texts = Object.entries(fieldsOf(labels) ?? {}).filter(([, value]) => typeof value === 'string');
  const known = {
    workspace: workspace.name,
    collection,
    name,
    createdAt: timestamp(world.clock.now() - DAY_SECONDS),
    ...(typeof displayName === 'string' && { displayName }),
    labels: Object.fromEntries(texts) as Record<string, string>,
  };
  for (const spec of [fieldsOf(item['spec']) ?? {}, {}])
    try {
      return addResource(world, { ...known, spec }, 'upstream');
    } catch (error) {
      if (!(error instanceof WorldFileError)) throw error;
    }
}

function noteAccounts(served: ServedWorld, json: unknown): void {
  const known = accountsOfUpstream.get(served) ?? new Set();
  accountsOfUpstream.set(served, known);
  for (const item of itemsOf(json))
    for (const key of ['id', 'accountId', 'account_id', 'uuid', 'name'])
      for (const value of [item[key], metadataIn(item)[key]])
        if (typeof value === 'string' || typeof value === 'number') known.add(String(value));
}

/** Of a list, or of an object with lists. */
function itemsOf(json: unknown): Fields[] {
  const lists = Array.isArray(json) ? [json] : Object.values(fieldsOf(json) ?? {}).filter(Array.isArray);
  return lists
    .flat()
    .map(fieldsOf)
    .filter((item) => item !== undefined);
}

const metadataIn = (json: unknown): Fields => fieldsOf(fieldsOf(json)?.['metadata']) ?? {};

const fieldsOf = (value: unknown): Fields | undefined => (isObject(value) ? value : undefined);

function parsed(body: unknown): unknown {
  try {
    return JSON.parse(textOf(body));
  } catch {
    return undefined;
  }
}
