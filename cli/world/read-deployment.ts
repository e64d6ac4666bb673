/** Reads what a deployment shows with GET requests, each of which may show something new. */
import { kindIds, kinds } from '../../mock/domains/resources/kinds.ts';
import { pathOf } from '../../mock/world/resource-fault.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { operation, operations, type OperationId } from '../../spec/operations.ts';
import { strongestCaller } from '../../suites/engine/callers.ts';
import { fieldsOf, isFields } from '../../suites/json/fields.ts';
import { jsonIn } from '../../suites/json/json-in.ts';
import { hasNextPage } from '../../suites/target/account.ts';
import { redactionOf } from '../../suites/target/redaction.ts';
import type { Target } from '../../suites/target/target.ts';
import { secureContextOf } from '../../suites/target/tls-settings.ts';
import { createTransport } from '../../suites/target/transport.ts';
import { fillPath, queryString } from '../../suites/target/wire-request.ts';
import { createProber, hasResponse, type Prober } from '../doctor/prober.ts';
import { listIn, nameOf, shownResources, type ShownResource, type ShownResponse } from './shown-resources.ts';
import { worldOf, type BuiltWorld } from './world-of.ts';

/** Gentle: a production deployment may be read. */
const LIMITS = { rate: 20, concurrency: 4, timeoutSeconds: 10, deadlineSeconds: 30, maxRetryAfterSeconds: 5 };
/** Of one kind: resources whose details or nested resources are read. */
const MAX_PARENTS = 100;
/** Of 100 groups. */
const MAX_METRICS_PAGES = 50;

export interface ReadDeployment {
  /** In the order of the requests. */
  readonly responses: readonly ShownResponse[];
  /** What could not be read. */
  readonly remarks: readonly string[];
}

/** Throws InvalidInput if nothing could be read. `hasUsage`: whether the world has the usage of the metrics. Default: true. */
export async function worldOfTarget(target: Target, { hasUsage = true } = {}): Promise<BuiltWorld> {
  const { responses, remarks } = await readDeployment(target, hasUsage);
  if (responses.length === 0)
    throw new InvalidInput(`Nothing could be read: ${remarks.join('; ')}. Check the credentials of the target file.`);
  const redaction = redactionOf(target);
  const { account, workspace, resources } = target;
  const world = worldOf(responses, {
    ...(account !== undefined && { account }),
    ...(workspace !== undefined && { workspace }),
    resources,
    takenAt: Date.now(),
    isSecret: (text) => redaction.known(text) !== text,
    hasUsage,
  });
  return { ...world, remarks: [...remarks, ...world.remarks] };
}

type Parameters = Record<string, string>;

export async function readDeployment(target: Target, hasUsage = true): Promise<ReadDeployment> {
  const transport = createTransport({
    ...LIMITS,
    rate: target.rate || LIMITS.rate,
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
      ...detailRequests(target, reader, isListed),
      ...nestedRequests(reader, 'sandboxes', 'previews'),
    ]);
    await reader.readAll([
      ...nestedRequests(reader, 'previews', 'tokens'),
      ...nestedRequests(reader, 'volume_templates', 'versions').filter(({ path = {} }) => !showsVersions(reader, path)),
    ]);
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
  const responses: ShownResponse[] = [];
  const refusals = new Map<string, string[]>();
  const notes: string[] = [];
  const caller = strongestCaller(target);

  /** Undefined for a response that shows nothing. */
  async function read({ id, path, query }: ReadRequest): Promise<ShownResponse | undefined> {
    const response = await prober.call(id, caller, { ...(path && { path }), ...(query && { query }) });
    const json = hasResponse(response) && response.status === 200 ? jsonIn(response.text) : undefined;
    if (json !== undefined && hasResponse(response)) {
      if (id.startsWith('list') && hasNextPage(response))
        notes.push(`${response.request}: only the first page is read`);
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
    remarks: () => [...[...refusals].map(([outcome, ids]) => `${describeRequests(ids)} ${outcome}`), ...notes],
  };
}

const describeRequests = (ids: readonly string[]): string =>
  [...Map.groupBy(ids, (id) => id)]
    .map(([id, all]) => (all.length === 1 ? id : `${id} (${all.length} times)`))
    .join(', ');

const getOperation = (path: string): OperationId | undefined =>
  operations.find((each) => each.surface === 'management' && each.method === 'GET' && each.path === path)?.id;

const listOf = (kind: keyof typeof kinds): OperationId => getOperation(`/${pathOf(kinds[kind])}`)!;
const itemOf = (kind: keyof typeof kinds): OperationId =>
  getOperation(`/${pathOf(kinds[kind])}/{${kinds[kind].param}}`)!;

const topKinds = kindIds.filter((id) => kinds[id].parent === undefined);
const topLists: readonly OperationId[] = ['listAccounts', ...topKinds.map(listOf), 'listIntegrations'];

/** Of what lists do not show: resources without a spec, those of the target file if there is no list, and integrations. */
function detailRequests(
  target: Target,
  { responses, note }: Reader,
  isListed: (id: OperationId) => boolean,
): ReadRequest[] {
  const { resources } = shownResources(responses);
  const bare = resources.filter(
    ({ kind, fields }) => kind !== 'workspaces' && kinds[kind].parent === undefined && !isFields(fields['spec']),
  );
  const {
    agent,
    mk3Agent,
    model,
    function: tools,
    job,
    sandbox,
    volume,
    connection,
    integration,
    mailIntegration,
  } = target.resources;
  const known = {
    agents: [agent, mk3Agent],
    models: [model],
    functions: [tools],
    jobs: [job],
    sandboxes: [sandbox],
    volumes: [volume?.name],
    'integrations/connections': [connection],
  };
  const unlisted = Object.entries(known).flatMap(([kind, names]) =>
    isListed(listOf(kind as keyof typeof known))
      ? []
      : names.flatMap((name) => (name === undefined ? [] : [{ kind: kind as keyof typeof known, name }])),
  );
  const listed = responses.flatMap((each) => (each.operation === 'listIntegrations' ? (listIn(each.json) ?? []) : []));
  const isComplete = (name: string): boolean =>
    listed.some((each) => nameOf(each) === name && Object.keys(each).length > 1);
  const used = resources.map(({ fields }) => fieldsOf(fields['spec'])?.['integration']);
  const integrations = [...listed.map(nameOf), integration, mailIntegration, ...used].filter(
    (name) => typeof name === 'string' && !isComplete(name),
  );
  return limited(
    [
      ...[...bare, ...unlisted].map(({ kind, name }) => ({ id: itemOf(kind), path: { [kinds[kind].param]: name } })),
      ...[...new Set(integrations)].map((name) => ({
        id: 'getIntegration' as const,
        path: { integrationName: String(name) },
      })),
    ],
    note,
  );
}

/** The lists of what is nested in each resource of a kind. */
function nestedRequests(
  { responses, note }: Reader,
  parent: 'sandboxes' | 'previews' | 'volume_templates',
  kind: keyof typeof kinds,
): ReadRequest[] {
  const parents = shownResources(responses).resources.filter((each) => each.kind === parent);
  return limited(
    parents.map((each) => ({ id: listOf(kind), path: parametersOf(each) })),
    note,
  );
}

function parametersOf({ kind, collection, name }: ShownResource): Parameters {
  const sandbox = kind === 'previews' ? { sandboxName: collection.split('/')[1]! } : {};
  return { ...sandbox, [kinds[kind].param]: name };
}

const showsVersions = ({ responses }: Reader, { volumeTemplateName }: Parameters): boolean =>
  shownResources(responses).resources.some(
    ({ kind, name, fields }) =>
      kind === 'volume_templates' && name === volumeTemplateName && Array.isArray(fields['versions']),
  );

function limited(requests: readonly ReadRequest[], note: (sentence: string) => void): ReadRequest[] {
  return [...Map.groupBy(requests, ({ id }) => id)].flatMap(([id, own]) => {
    if (own.length > MAX_PARENTS) note(`${id}: only ${MAX_PARENTS} of ${own.length} requests were sent`);
    return own.slice(0, MAX_PARENTS);
  });
}

/** One query, page by page. */
async function readMetrics({ account, metrics: { window } }: Target, reader: Reader): Promise<void> {
  if (account === undefined) return reader.note('metrics: the account is unknown');
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
  reader.note(`metrics: only the first ${MAX_METRICS_PAGES} pages are read`);
}
