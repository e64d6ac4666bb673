/** Reads what a deployment shows with GET requests, each of which may show something new. */
import type { KindId } from '../../mock/domains/resources/kind.ts';
import { kindIds, kinds } from '../../mock/domains/resources/kinds.ts';
import { pathOf } from '../../mock/world/resource-fault.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { operation, operations, type OperationId } from '../../spec/operations.ts';
import { strongestCaller } from '../../suites/engine/callers.ts';
import { isLoopback } from '../../spec/network/loopback.ts';
import { fieldsOf, isFields } from '../../suites/json/fields.ts';
import { jsonIn } from '../../suites/json/json-in.ts';
import { listIn, nameOf } from '../../suites/json/named-items.ts';
import { hasNextPage } from '../../suites/target/account.ts';
import { redactionOf } from '../../suites/target/redaction.ts';
import type { Target } from '../../suites/target/target.ts';
import { secureContextOf } from '../../suites/target/tls-settings.ts';
import { createTransport } from '../../suites/target/transport.ts';
import { fillPath, queryString } from '../../suites/target/wire-request.ts';
import { createProber, hasResponse, type Prober } from '../doctor/prober.ts';
import { namedByTarget } from './named-by-target.ts';
import { contentsOf, type DeploymentResource, type DeploymentResponse } from './response-contents.ts';
import { worldOf, type BuiltWorld } from './world-of.ts';

/** Gentle: a production deployment may be read. */
const LIMITS = { rate: 20, concurrency: 4, timeoutSeconds: 10, deadlineSeconds: 30, maxRetryAfterSeconds: 5 };
/** Of one kind: resources whose details or nested resources are read. */
const MAX_PARENTS = 100;
/** Of 100 groups. */
const MAX_METRICS_PAGES = 50;

export interface ReadDeployment {
  /** In the order of the requests. */
  readonly responses: readonly DeploymentResponse[];
  /** What could not be read. */
  readonly remarks: readonly string[];
}

/** Throws InvalidInput if nothing could be read. `hasUsage`: whether the world has the usage of the metrics. Default: true. */
export async function worldOfTarget(
  target: Target,
  { hasUsage = true, keepsPersonal = false } = {},
): Promise<BuiltWorld> {
  const { responses, remarks } = await readDeployment(target, hasUsage);
  if (responses.length === 0)
    throw new InvalidInput(`Nothing could be read: ${remarks.join(' ')} Check the credentials of the target file.`);
  const redaction = redactionOf(target);
  const { account, workspace, resources } = target;
  const world = worldOf(responses, {
    ...(account !== undefined && { account }),
    ...(workspace !== undefined && { workspace }),
    resources,
    takenAt: Date.now(),
    isSecret: (text) => redaction.known(text) !== text,
    hasUsage,
    keepsPersonal,
  });
  return { ...world, remarks: [...remarks, ...world.remarks] };
}

type Parameters = Record<string, string>;

export async function readDeployment(target: Target, hasUsage = true): Promise<ReadDeployment> {
  const transport = createTransport({
    ...LIMITS,
    rate: target.rate || (isLoopback(new URL(target.addresses.management ?? '').hostname) ? 0 : LIMITS.rate),
    secureContext: secureContextOf(target.tls),
  });
  const reader = createReader(target, createProber(target, transport));
  try {
    const [lists] = await Promise.all([
      reader.readAll(topLists.map((id) => ({ id }))),
      hasUsage && readMetrics(target, reader),
    ]);
    const isListed = (id: OperationId): boolean => lists.some((each) => each?.operation === id);
    await reader.readAll([
      ...itemsWithoutSpec(reader, topKinds),
      ...itemsOfTarget(target, isListed),
      ...nestedLists(reader, 'sandboxes', 'previews'),
    ]);
    await reader.readAll([
      ...integrationsOf(target, reader),
      ...itemsWithoutSpec(reader, ['previews']),
      ...nestedLists(reader, 'previews', 'tokens'),
      ...nestedLists(reader, 'volume_templates', 'versions'),
    ]);
    await reader.readAll(itemsWithoutSpec(reader, ['versions']));
    return { responses: reader.responses, remarks: reader.remarks() };
  } finally {
    await transport.close();
  }
}

interface ReadRequest {
  readonly id: OperationId;
  readonly path?: Parameters;
  readonly query?: Parameters;
}

type Reader = ReturnType<typeof createReader>;

function createReader(target: Target, prober: Prober) {
  const responses: DeploymentResponse[] = [];
  const refusals = new Map<string, string[]>();
  const notes: string[] = [];
  const caller = strongestCaller(target);

  /** Undefined for a response that shows nothing. */
  async function read({ id, path, query }: ReadRequest): Promise<DeploymentResponse | undefined> {
    const response = await prober.call(id, caller, { ...(path && { path }), ...(query && { query }) });
    const json = hasResponse(response) && response.status === 200 ? jsonIn(response.text) : undefined;
    if (json !== undefined && hasResponse(response)) {
      if (id.startsWith('list') && hasNextPage(response)) notes.push(`Not read: further pages of ${response.request}.`);
      return { operation: id, path: fillPath(operation(id).path, target, path) + queryString(query), json };
    }
    const outcome = !hasResponse(response)
      ? 'got no response'
      : response.status === 200
        ? 'returned no JSON'
        : `returned ${response.status}`;
    refusals.set(outcome, [...(refusals.get(outcome) ?? []), id]);
    return undefined;
  }
  return {
    responses,
    read: async (request: ReadRequest) => {
      const response = await read(request);
      if (response !== undefined) responses.push(response);
      return response;
    },
    /** The responses are in the order of the requests, so that the world does not depend on their times. */
    async readAll(requests: readonly ReadRequest[]) {
      const found = await Promise.all(requests.map(read));
      responses.push(...found.filter((each) => each !== undefined));
      return found;
    },
    note: (sentence: string) => void notes.push(sentence),
    remarks: () => [
      ...[...refusals].map(([outcome, ids]) => `Not read: ${describeRequests(ids)} ${outcome}.`),
      ...notes,
    ],
  };
}

const describeRequests = (ids: readonly string[]): string =>
  [...Map.groupBy(ids, (id) => id)]
    .map(([id, all]) => (all.length === 1 ? id : `${id} (${all.length} times)`))
    .join(', ');

const getOperation = (path: string): OperationId | undefined =>
  operations.find((each) => each.surface === 'management' && each.method === 'GET' && each.path === path)?.id;

const listOf = (kind: KindId): OperationId => getOperation(`/${pathOf(kinds[kind])}`)!;
const itemOf = (kind: KindId): OperationId => getOperation(`/${pathOf(kinds[kind])}/{${kinds[kind].param}}`)!;

const topKinds = kindIds.filter((id) => kinds[id].parent === undefined);
const topLists: readonly OperationId[] = ['listAccounts', ...topKinds.map(listOf), 'listIntegrations'];

/** Resources of which the responses so far show only a part. */
function itemsWithoutSpec({ responses, note }: Reader, of: readonly KindId[]): ReadRequest[] {
  const partial = contentsOf(responses).resources.filter(
    ({ kind, fields }) =>
      of.includes(kind) && !isFields(fields['spec']) && (kind !== 'versions' || Object.keys(fields).length === 1),
  );
  return limited(
    partial.map((each) => ({ id: itemOf(each.kind), path: parametersOf(each) })),
    note,
  );
}

/** The resources that the target file names, if there is no list of their kind. */
function itemsOfTarget({ resources }: Target, isListed: (id: OperationId) => boolean): ReadRequest[] {
  return namedByTarget(resources, []).flatMap((each) =>
    isListed(listOf(each.kind)) || each.kind === 'tokens' ? [] : [{ id: itemOf(each.kind), path: parametersOf(each) }],
  );
}

/** Those that lists, connections and the target file name, unless a list shows more than their names. */
function integrationsOf(
  { resources: { integration, mailIntegration } }: Target,
  { responses, note }: Reader,
): ReadRequest[] {
  const listed = responses.flatMap((each) => (each.operation === 'listIntegrations' ? (listIn(each.json) ?? []) : []));
  const complete = listed.filter((each) => Object.keys(each).length > 1).map(nameOf);
  const used = contentsOf(responses).resources.map(({ fields }) => fieldsOf(fields['spec'])?.['integration']);
  const names = [...listed.map(nameOf), integration, mailIntegration, ...used].filter(
    (name) => typeof name === 'string',
  );
  const incomplete = [...new Set(names)].filter((name) => !complete.includes(name));
  return limited(
    incomplete.map((integrationName) => ({ id: 'getIntegration', path: { integrationName } })),
    note,
  );
}

/** The lists of what is nested in each resource of a kind, unless the resource shows it. */
function nestedLists({ responses, note }: Reader, parent: KindId, kind: KindId): ReadRequest[] {
  const parents = contentsOf(responses).resources.filter(
    (each) => each.kind === parent && !Array.isArray(each.fields[kind]),
  );
  return limited(
    parents.map((each) => ({ id: listOf(kind), path: parametersOf(each) })),
    note,
  );
}

/** Path parameters of a resource and those above it. */
function parametersOf({ kind, collection, name }: DeploymentResource): Parameters {
  const { parent } = kinds[kind];
  const above = /^(.*)\/([^/]+)\/[^/]+$/.exec(collection);
  const ofParent =
    parent === undefined || above === null
      ? {}
      : parametersOf({ kind: parent, collection: above[1]!, name: above[2]!, fields: {} });
  return { ...ofParent, [kinds[kind].param]: name };
}

function limited(requests: readonly ReadRequest[], note: (sentence: string) => void): ReadRequest[] {
  return [...Map.groupBy(requests, ({ id }) => id)].flatMap(([id, own]) => {
    if (own.length > MAX_PARENTS) note(`Not read: ${own.length - MAX_PARENTS} of ${own.length} responses of ${id}.`);
    return own.slice(0, MAX_PARENTS);
  });
}

/** One query, page by page. */
async function readMetrics({ account, metrics: { window } }: Target, reader: Reader): Promise<void> {
  if (account === undefined) return reader.note('Not read: the metrics, because the account is unknown.');
  let cursor: unknown;
  for (let page = 0; page < MAX_METRICS_PAGES; page += 1) {
    const query = {
      startTime: window.start,
      endTime: window.end,
      groupBy: 'resource_name,billing_dimension',
      limit: '100',
    };
    const response = await reader.read({
      id: 'getAccountMetrics',
      query: typeof cursor === 'string' ? { ...query, cursor } : query,
    });
    const meta = fieldsOf(fieldsOf(response?.json)?.['meta']);
    if (meta?.['hasMore'] !== true) return;
    cursor = meta['nextCursor'];
  }
  reader.note(`Not read: the metrics after ${MAX_METRICS_PAGES} pages.`);
}
