/** Which members of a world grow with its use: each of their parts is an entry of its own, so that a write costs what it changes. */
import type { OAuthState } from '../state/oauth.ts';
import type { SavedMember } from '../world/snapshot.ts';
import type { Snapshot } from '../world/snapshot-schema.ts';
import type { World } from '../world/world.ts';

/** Parts of a world that are together in an object or array of its snapshot. */
export interface Container {
  /** In the snapshot. */
  readonly path: readonly string[];
  /** Oldest first. A part that changes is replaced by another object. */
  readonly parts: readonly (readonly [key: string, part: unknown])[];
  /** What is written for a part. Default: the part itself. */
  readonly save?: (part: never, key: string) => unknown;
}

export function* containersOf({
  sandboxes,
  inference,
  lifecycles,
  oauth,
  identityProvider,
}: World): Generator<Container> {
  yield* containersOfSandboxes(sandboxes);
  yield { path: ['inference', 'threads'], parts: Object.entries(inference.threads) };
  for (const [uuid, uses] of Object.entries(inference.uses)) {
    yield { path: ['inference', 'uses', uuid], parts: uses.map((use, index) => [String(index), use]) };
  }
  yield { path: ['inference', 'invocations'], parts: numbered(inference.invocations) };
  yield { path: ['inference', 'requests'], parts: inference.requests.map((request) => [request.id, request]) };
  yield { path: ['inference', 'messages'], parts: numbered(inference.messages) };
  yield { path: ['lifecycles', 'lastUsed'], parts: Object.entries(lifecycles.lastUsed) };
  yield { path: ['lifecycles', 'sessions'], parts: Object.entries(lifecycles.sessions) };
  yield* containersOfOAuth(['oauth'], oauth);
  yield* containersOfOAuth(['identityProvider', 'state'], identityProvider.state);
}

function* containersOfSandboxes(sandboxes: World['sandboxes']): Generator<Container> {
  const all = sandboxes.all();
  const saveSandbox = ({ uuid }: { uuid: string }) => ({ uuid, filesystem: { entries: {} }, uploads: {} });
  yield { path: ['sandboxes'], parts: all, save: saveSandbox };
  for (const [name, { filesystem, uploads }] of all) {
    const path = ['sandboxes', name, 'uploads'];
    yield { path: ['sandboxes', name, 'filesystem', 'entries'], parts: Object.entries(filesystem.entries) };
    yield { path, parts: Object.entries(uploads), save: (upload: object) => ({ ...upload, parts: {} }) };
    for (const [id, { parts }] of Object.entries(uploads)) {
      yield { path: [...path, id, 'parts'], parts: Object.entries(parts) };
    }
  }
}

/** The maps of an authorization server are arrays of pairs in a snapshot. */
function* containersOfOAuth(path: readonly string[], state: OAuthState): Generator<Container> {
  for (const [name, map] of Object.entries(state)) {
    yield { path: [...path, name], parts: [...map], save: (part, key) => [key, part] };
  }
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** Keys for parts that have none. */
function numbered(parts: readonly object[]): [key: string, part: object][] {
  return parts.map((part) => {
    const number = numbers.get(part) ?? ++count;
    numbers.set(part, number);
    return [String(number), part];
  });
}

const noOAuth = { codes: [], refreshTokens: [], revoked: [] };

const emptied: { readonly [Name in SavedMember]?: (saved: never) => unknown } = {
  resources: () => ({}),
  lifetimes: () => [],
  credentials: () => [],
  sandboxes: () => ({}),
  inference: (saved: Snapshot['inference']) => ({
    ...saved,
    threads: {},
    uses: {},
    invocations: [],
    requests: [],
    messages: [],
  }),
  lifecycles: (saved: Snapshot['lifecycles']) => ({ ...saved, lastUsed: {}, sessions: {} }),
  oauth: () => noOAuth,
  identityProvider: (saved: Snapshot['identityProvider']) => ({ ...saved, state: noOAuth }),
};

/** A member as in a snapshot, without the parts that are entries of their own. */
export function withoutParts(member: SavedMember, saved: unknown): unknown {
  const empty = emptied[member];
  return empty === undefined ? saved : empty(saved as never);
}
