/** Which names and values a sequence may use: what both target files list, and what both targets have created or returned. */
import { operation, operations } from '../../spec/operations.ts';
import type { Operation, OperationId } from '../../spec/operations.ts';
import { fieldsOf } from '../json/fields.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/exchange.ts';
import type { StepResult } from './lockstep.ts';
import type { Step } from './step.ts';

/** A resource of a collection, by the path parameters of its operations. */
export interface Item {
  readonly path: Readonly<Record<string, string>>;
  /** Whether the sequence created it. */
  readonly isNew: boolean;
}

/** A value in the responses to a step that later steps may send. */
export interface Offer {
  readonly kind: 'cursor' | 'token' | 'session' | 'execution' | 'upload';
  readonly reference: string;
  readonly step: Step;
}

export interface Model {
  /** `collection`: a path template such as /agents. */
  readonly items: (collection: string) => readonly Item[];
  /** The path of a resource that the sequence has removed. */
  readonly removed: (collection: string) => readonly Item[];
  readonly offers: (kind: Offer['kind']) => readonly Offer[];
  readonly newName: () => string;
  /** Returns the operations whose responses differ from then on, because only one target has accepted a write. */
  readonly note: (number: number, step: Step, result: StepResult) => readonly OperationId[];
  /** Whether both targets have returned the resource with this path. */
  readonly isSeen: (path: Item['path']) => boolean;
  /** Whether only one target has accepted a change of the resource with this name. */
  readonly isDifferent: (name: string) => boolean;
}

/** The collection of an operation on it or on one of its items, and the parameter that names an item. */
export interface Collection {
  readonly path: string;
  readonly parameter: string;
}

const byOperation = new Map<OperationId, Collection>();
for (const { surface, method, path } of operations) {
  const [, collection, parameter] = /^(.*)\/\{(\w+)\}$/.exec(path) ?? [];
  if (surface !== 'management' || method !== 'GET' || collection === undefined) continue;
  for (const each of operations)
    if (each.surface === 'management' && (each.path === collection || each.path === path))
      byOperation.set(each.id, { path: collection, parameter: parameter! });
}

export const collectionOf = (id: OperationId): Collection | undefined => byOperation.get(id);
export const isOnItem = ({ id, path }: Operation): boolean =>
  path === `${collectionOf(id)?.path}/{${collectionOf(id)?.parameter}}`;

/** The known resources of a target file, by collection. */
const ownItems: readonly (readonly [collection: string, path: Readonly<Record<string, string>>])[] = [
  ['/agents', { agentName: 'agent' }],
  ['/agents', { agentName: 'mk3Agent' }],
  ['/functions', { functionName: 'function' }],
  ['/models', { modelName: 'model' }],
  ['/jobs', { jobName: 'job' }],
  ['/sandboxes', { sandboxName: 'sandbox' }],
  ['/volumes', { volumeName: 'volume.name' }],
  ['/integrations/connections', { connectionName: 'connection' }],
  ['/integrations', { integrationName: 'integration' }],
  ['/integrations', { integrationName: 'mailIntegration' }],
  ['/policies', { policyName: 'policies.0' }],
  ['/workspaces', { workspaceName: 'workspace' }],
  ['/volume_templates', { volumeTemplateName: 'templateVersions.0.template' }],
  [
    '/sandboxes/{sandboxName}/previews/{previewName}/tokens',
    {
      sandboxName: 'previewTokens.0.sandbox',
      previewName: 'previewTokens.0.preview',
      tokenName: 'previewTokens.0.token',
    },
  ],
  [
    '/volume_templates/{volumeTemplateName}/versions',
    { volumeTemplateName: 'templateVersions.0.template', versionName: 'templateVersions.0.version' },
  ],
  [
    '/sandboxes/{sandboxName}/previews',
    { sandboxName: 'previewTokens.0.sandbox', previewName: 'previewTokens.0.preview' },
  ],
];

/** A run that can create no agent changes the one of the target file. */
const sameAgents: Readonly<Record<string, string>> = {
  '<own changeable>': '<own agent>',
  '<own changeableMk3>': '<own mk3Agent>',
};

const isAccepted = ({ response: { status } }: Exchange): boolean => status >= 200 && status < 300;

/** `isOwn`: whether both targets have a value for `<own …>`. */
export function createModel(isOwn: (name: string) => boolean): Model {
  const items = new Map<string, Item[]>();
  const removed = new Map<string, Item[]>();
  const offers: Offer[] = [];
  const different = new Set<string>();
  const seen = new Set<string>();
  let nameCount = 0;
  const listIn = (map: Map<string, Item[]>, collection: string): Item[] => {
    const list = map.get(collection) ?? [];
    map.set(collection, list);
    return list;
  };
  for (const [collection, names] of ownItems)
    if (Object.values(names).every(isOwn))
      listIn(items, collection).push({ path: mapValues(names, (name) => `<own ${name}>`), isNew: false });

  function noteItem(step: Step, areAccepted: readonly boolean[]): readonly OperationId[] {
    const known = operation(step.operation);
    const collection = collectionOf(step.operation);
    if (collection === undefined || !areAccepted.includes(true)) return [];
    const areBoth = !areAccepted.includes(false);
    if (known.method === 'GET') {
      if (areBoth && isOnItem(known)) seen.add(JSON.stringify(step.path));
      return [];
    }
    const changed = step.path?.[collection.parameter] ?? '';
    if (!areBoth && known.method === 'PUT') different.add(changed).add(sameAgents[changed] ?? changed);
    if (known.method === 'POST' && known.path === collection.path) {
      const name = metadataIn(step.body)['name'] ?? fieldsOf(step.body)?.['name'];
      if (areBoth && typeof name === 'string' && name.includes('<new '))
        listIn(items, collection.path).push({ path: { ...step.path, [collection.parameter]: name }, isNew: true });
    }
    // What only one target has removed is not the same on both any more.
    if (known.method === 'DELETE' && isOnItem(known)) {
      const list = listIn(items, collection.path);
      const at = list.findIndex(({ path }) => path[collection.parameter] === step.path?.[collection.parameter]);
      if (at !== -1) list.splice(at, 1);
      if (areBoth) listIn(removed, collection.path).push({ path: step.path!, isNew: true });
    }
    return areBoth
      ? []
      : operations.flatMap(({ id, method, path }) => (method === 'GET' && path === collection.path ? [id] : []));
  }

  return {
    items: (collection) =>
      (items.get(collection) ?? []).filter(({ path }) => Object.values(path).every((name) => !different.has(name))),
    isSeen: (path) => seen.has(JSON.stringify(path)),
    isDifferent: (name) => different.has(name),
    removed: (collection) => removed.get(collection) ?? [],
    offers: (kind) => offers.filter((each) => each.kind === kind),
    newName: () => `<new ${(nameCount += 1)}>`,
    note(number, step, { exchanges: { a, b } }) {
      const differing = noteItem(step, [isAccepted(a), isAccepted(b)]);
      for (const [kind, place] of offeredBy(step.operation))
        if ([a, b].every((each) => isAccepted(each) && hasPart(each, place)))
          offers.push({ kind, reference: `<step ${number} ${place}>`, step });
      return differing;
    },
  };
}

function offeredBy(id: OperationId): (readonly [Offer['kind'], string])[] {
  if (id === 'getAccountMetrics') return [['cursor', '/meta/nextCursor']];
  if (id === 'requestToken') return [['token', '/access_token']];
  if (id === 'postFunctionMcp' || id === 'postSandboxMcp') return [['session', 'header mcp-session-id']];
  if (id === 'createJobExecution') return [['execution', '/id']];
  if (id === 'initiateMultipartUpload') return [['upload', '/uploadId']];
  return [];
}

function hasPart({ response: { headers, json } }: Exchange, place: string): boolean {
  const value = place.startsWith('header ')
    ? headers[place.slice('header '.length)]
    : place
        .split('/')
        .slice(1)
        .reduce<unknown>((at, key) => fieldsOf(at)?.[key], json);
  return typeof value === 'string' && value !== '';
}

const mapValues = (
  record: Readonly<Record<string, string>>,
  change: (value: string) => string,
): Record<string, string> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
