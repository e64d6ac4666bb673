/** Valid requests: what a step of an operation sends, drawn from what the model knows. */
import type { OperationId } from '../../spec/operations.ts';
import type { Operation } from '../../spec/operations.ts';
import { billingDimensionTable, groupByDimensions } from '../../spec/values.ts';
import { agentParts, allAmounts, type Fragment } from '../kit/generators/agent-body.ts';
import { modernInput } from '../kit/mcp/modern.ts';
import { chat } from '../generators/chat.ts';
import { exampleBodies } from '../generators/invalid-body.ts';
import { fileTree } from '../generators/file-tree.ts';
import { labels, manyLabels } from '../generators/labels.ts';
import { prompt } from '../generators/prompt.ts';
import { readableText } from '../generators/display-name.ts';
import { task } from '../generators/task.ts';
import { textContent } from '../generators/file-content.ts';
import { fieldsOf } from '../json/fields.ts';
import { DAY, HOUR, timestamp } from '../kit/metrics/windows.ts';
import type { Draw } from './draw.ts';
import { collectionOf, isOnItem, type Item, type Model } from './model.ts';
import { FILES } from './side.ts';
import type { Step } from './step.ts';

export interface Known {
  readonly draw: Draw;
  readonly model: Model;
  /** Whether both targets have a value for `<own …>`. */
  readonly isOwn: (name: string) => boolean;
  /** Past, in milliseconds since the epoch; the same on both targets. */
  readonly window: { readonly start: number; readonly end: number };
  readonly hasApiKey: boolean;
  /** Whether two versions are compared, so that the version header is not the choice of a step. */
  readonly comparesVersions: boolean;
  /** Whether both targets permit to remove what the run did not create. */
  readonly mayDestroy: boolean;
}

export type RequestParts = Pick<Step, 'path' | 'query' | 'headers' | 'body' | 'text'>;

/** Undefined if there is nothing to send it about. */
type Request = (known: Known) => RequestParts | undefined;

const own = ({ isOwn }: Known, name: string, path: Record<string, string>): Record<string, string> | undefined =>
  isOwn(name) ? path : undefined;

const agentPath: Request = (known) => {
  const items = known.model.items('/agents').filter(({ isNew }) => !isNew);
  const item = known.draw.oneOf(items);
  return item && { path: { agent: item.path['agentName']! } };
};

/** At least the path; the rest of the request is added if there is one. */
const withPath = (path: Record<string, string> | undefined, more: Omit<RequestParts, 'path'> = {}) =>
  path && { path, ...more };

const mcp =
  (path: Request): Request =>
  (known) => {
    const found = path(known);
    if (found === undefined) return undefined;
    const sessions = known.model
      .offers('session')
      .filter(({ step }) => JSON.stringify(step.path) === JSON.stringify(found.path));
    const session = known.draw.fraction() < 0.5 ? known.draw.oneOf(sessions) : undefined;
    const accept = { Accept: 'application/json, text/event-stream' };
    if (session !== undefined) {
      const method = known.draw.oneOf(['tools/list', 'ping', 'tools/list', 'assay/unknown'])!;
      const headers = { ...accept, 'Mcp-Session-Id': session.reference, 'MCP-Protocol-Version': '2025-11-25' };
      return { ...found, headers, body: { jsonrpc: '2.0', id: 2, method } };
    }
    const method = known.draw.oneOf([
      'initialize',
      'initialize',
      'server/discover',
      'tools/list',
      'tools/call',
      'assay/unknown',
    ])!;
    if (method === 'initialize') {
      const params = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'assay', version: '1.0.0' },
      };
      return { ...found, headers: accept, body: { jsonrpc: '2.0', id: 1, method, params } };
    }
    const modern = modernInput(3, method, method === 'tools/call' ? { name: 'assay-unknown', arguments: {} } : {});
    return { ...found, headers: { ...accept, ...(modern.headers as Record<string, string>) }, body: modern.body };
  };

const treePath = ({ draw }: Known): string =>
  `tmp/<new ${FILES}>/${draw.oneOf(['<new 1>', '<new 1>/a', '<new 2>', '<new 3>/Deep/er'])}`;

const metricsWindow = ({ draw, window }: Known): { startTime: string; endTime: string; resolution?: string } => {
  const length = Math.max(DAY, window.end - window.start);
  const [resolution, unit, count] = draw.oneOf([
    ['hourly', HOUR, 24],
    ['daily', DAY, 7],
    ['weekly', DAY, 28],
    ['monthly', DAY, 31],
    [undefined, HOUR, 12],
    [undefined, DAY, 9],
  ] as const)!;
  const span = Math.min(length, unit * (1 + Math.floor(draw.fraction() * count)));
  const start = window.start + Math.floor((draw.fraction() * (length - span)) / unit) * unit;
  return { startTime: timestamp(start), endTime: timestamp(start + span), ...(resolution && { resolution }) };
};

const metrics: Request = (known) => {
  const { draw, model } = known;
  const next = draw.fraction() < 0.15 ? draw.oneOf(model.offers('cursor')) : undefined;
  if (next !== undefined) return { query: { ...next.step.query, cursor: next.reference } };
  const dimensions = groupByDimensions.filter(() => draw.fraction() < 0.35).slice(0, 3);
  const [dimension, { resourceType }] = draw.oneOf(Object.entries(billingDimensionTable))!;
  const filter: Record<string, string>[] = [
    { resourceType },
    { billingDimension: dimension },
    { resourceType, billingDimension: dimension },
    { resourceName: 'assay-nothing-has-this-name' },
    { workspace: '<own workspace>' },
    ...(known.isOwn('agent') ? [{ resourceName: '<own agent>' }] : []),
  ];
  const limit = dimensions.length > 0 ? draw.oneOf(['', '1', '2', '99', '100', '101', '1000']) : '';
  return {
    query: {
      ...metricsWindow(known),
      ...(dimensions.length > 0 && {
        groupBy: (draw.fraction() < 0.5 ? dimensions : dimensions.toReversed()).join(','),
      }),
      ...(draw.fraction() < 0.35 && draw.oneOf(filter)),
      ...(limit !== '' && { limit: limit! }),
    },
  };
};

const FORM = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };

/** With HTTP Basic, which every server must support (RFC 6749 section 2.3.1). */
const token: Request = (known) => {
  if (!known.isOwn('clientBasic')) return undefined;
  const scope = known.draw.oneOf(['', 'agents:get agents:update', 'agents:get', 'agents:update'])!;
  const fields = 'grant_type=client_credentials';
  return {
    headers: { ...FORM, Authorization: 'Basic <own clientBasic>' },
    text: scope === '' ? fields : `${fields}&scope=${scope.replace(' ', '+')}`,
  };
};

/** With names that servers change. */
const filesOf = ({ draw }: Known): object => ({
  ...draw.from(fileTree({ content: textContent })),
  [draw.oneOf(['a#b.txt', 'a b.txt', 'Upper.TXT', 'ä.txt'])!]: 'two\nlines',
});

const tasksOf = ({ draw }: Known): object[] => Array.from({ length: draw.oneOf([1, 2, 9])! }, () => draw.from(task));

/** With a made-up challenge of PKCE (RFC 7636): no code is exchanged. */
const authorization: Request = ({ isOwn }) =>
  isOwn('clientId') && isOwn('redirectUri')
    ? {
        query: {
          response_type: 'code',
          client_id: '<own clientId>',
          redirect_uri: '<own redirectUri>',
          state: ' assay state+1 ',
          code_challenge: 'assay-'.repeat(8).slice(0, 43),
          code_challenge_method: 'S256',
          prompt: 'none',
        },
      }
    : undefined;

/** What the target file permits to delete, once both targets have returned it: it is gone after the first valid request. */
const deletion: (collection: string) => Request =
  (collection) =>
  ({ draw, model, mayDestroy }) => {
    const item = mayDestroy ? draw.oneOf(model.items(collection).filter(({ path }) => model.isSeen(path))) : undefined;
    return item && { path: { ...item.path } };
  };

/** Operations whose requests do not follow from their path and the example of their body. Null: never sent. */
export const requests: { readonly [Id in OperationId]?: Request | null } = {
  getAccountMetrics: metrics,
  listMetricsResourceTypes: (known) => ({ query: windowOnly(metricsWindow(known)) }),
  queryAgent: (known) => {
    const thread =
      known.draw.fraction() < 0.3
        ? { headers: { 'X-Svc-Thread-Id': `<new thread${Math.floor(known.draw.fraction() * 2)}>` } }
        : {};
    const found = agentPath(known);
    return found && { ...found, ...thread, body: { inputs: known.draw.from(prompt) } };
  },
  queryModel: (known) =>
    withPath(own(known, 'model', { model: '<own model>' }), { body: { inputs: known.draw.from(prompt) } }),
  createChatCompletion: (known) =>
    withPath(own(known, 'model', { model: '<own model>' }), { body: { messages: known.draw.from(chat) } }),
  postFunctionMcp: mcp((known) => withPath(own(known, 'function', { serverName: '<own function>' }))),
  postSandboxMcp: mcp((known) => (known.isOwn('sandbox') ? {} : undefined)),
  createJobExecution: (known) =>
    withPath(own(known, 'job', { jobName: '<own job>' }), { body: { tasks: tasksOf(known) } }),
  listJobExecutions: (known) => withPath(own(known, 'job', { jobName: '<own job>' })),
  getJobExecution: ({ draw, model }) => {
    const offer = draw.oneOf(model.offers('execution'));
    return offer && { path: { ...offer.step.path, executionId: offer.reference } };
  },
  writeTree: (known) =>
    known.isOwn('sandbox') ? { path: { path: treePath(known) }, body: { files: filesOf(known) } } : undefined,
  readTree: (known) =>
    known.isOwn('sandbox') ? { path: { path: known.draw.oneOf([treePath(known), `tmp/<new ${FILES}>`])! } } : undefined,
  listMultipartUploads: (known) => (known.isOwn('sandbox') ? {} : undefined),
  getSandboxRoot: (known) => (known.isOwn('sandbox') ? {} : undefined),
  requestToken: token,
  deleteSandboxPreviewToken: deletion('/sandboxes/{sandboxName}/previews/{previewName}/tokens'),
  deleteVolumeTemplateVersion: deletion('/volume_templates/{volumeTemplateName}/versions'),
  deleteUnusedImages: ({ mayDestroy }) => (mayDestroy ? {} : undefined),
  authorize: authorization,
  decideAuthorization: null,
  revokeToken: null,
  registerClient: null,
  watchDirectory: null,
  getFunctionMcp: null,
  deleteFunctionMcp: null,
  getSandboxMcp: null,
  deleteSandboxMcp: null,
  queryAgentTrigger: null,
  createImage: null,
  createWorkspace: null,
  inviteToWorkspace: null,
  acceptWorkspaceInvitation: null,
  declineWorkspaceInvitation: null,
  leaveWorkspace: null,
  removeFromWorkspace: null,
  updateWorkspace: null,
};

const windowOnly = ({ startTime, endTime }: { startTime: string; endTime: string }) => ({ startTime, endTime });

/** Of a resource: its own operations change only what the sequence has created, and agents that can be restored. */
function itemRequest(operation: Operation, known: Known): RequestParts | undefined {
  const { draw, model } = known;
  const collection = collectionOf(operation.id)!;
  const all = model.items(collection.path);
  const item = draw.oneOf(operation.method === 'GET' ? all : changeable(operation, known, all));
  if (item === undefined) return undefined;
  const path = { ...item.path };
  if (operation.method !== 'PUT') return { path };
  return { path, body: bodyOf(operation, path[collection.parameter]!, known) };
}

function changeable({ id }: Operation, { isOwn, model }: Known, items: readonly Item[]): readonly Item[] {
  const agents = ['changeable', 'changeableMk3']
    .filter(isOwn)
    .map((name) => ({ path: { agentName: `<own ${name}>` }, isNew: false }))
    .filter(({ path }) => !model.isDifferent(path.agentName));
  return [...items.filter(({ isNew }) => isNew), ...(id === 'updateAgent' ? agents : [])];
}

/** Further parts of an agent that most targets accept. */
const fragmentsFor = (isOwn: Known['isOwn']): Fragment[] => [
  { repository: { type: 'github', url: 'https://github.com/example/assay' } },
  { revision: { canaryPercent: 0, stickySessionTtl: 60, traffic: 100 } },
  { policies: isOwn('policies.0') ? ['<own policies.0>'] : [] },
  ...(isOwn('volume.name')
    ? [{ region: '<own volume.region>', volumes: [{ name: '<own volume.name>', mountPath: '/data', readOnly: true }] }]
    : []),
];

/** The example of the document with another name, and agents and metadata that vary. */
export function bodyOf(operation: Operation, name: string, { draw, isOwn }: Known): unknown {
  const example = structuredClone(exampleBodies(operation)[0]) as Record<string, unknown> | undefined;
  if (example?.['metadata'] === undefined) return { ...example, name };
  const varied = {
    ...(draw.fraction() < 0.6 && { displayName: draw.oneOf([draw.from(readableText(63)), 'Two  spaces']) }),
    ...(draw.fraction() < 0.6 && { labels: draw.oneOf([draw.from(labels), manyLabels]) }),
  };
  const metadata = { name, ...varied };
  if (operation.path.startsWith('/agents')) {
    const generation =
      name === '<own changeableMk3>'
        ? 'mk3'
        : name === '<own changeable>'
          ? 'mk2'
          : draw.oneOf(['mk2', 'mk3'] as const)!;
    const { spec } = draw.from(
      agentParts({ generation, mayBePublic: false, fragments: fragmentsFor(isOwn), amounts: allAmounts }),
    );
    const variable = draw.fraction() < 0.3 && { envs: [{ name: 'ASSAY_TEXT', value: 'two  spaces' }] };
    return { metadata, spec: { ...spec, runtime: { generation, ...spec.runtime, ...variable } } };
  }
  const spec: Record<string, unknown> = { ...fieldsOf(example['spec']) };
  if ('integration' in spec && isOwn('mailIntegration')) spec['integration'] = '<own mailIntegration>';
  if ('integrationConnections' in spec)
    spec['integrationConnections'] = isOwn('connection') ? ['<own connection>'] : [];
  if ('region' in spec && isOwn('volume.region')) spec['region'] = '<own volume.region>';
  return { ...example, metadata, spec };
}

/** Undefined if the operation cannot be sent now. */
export function requestFor(operation: Operation, known: Known): RequestParts | undefined {
  const special = requests[operation.id];
  if (special === null) return undefined;
  if (special !== undefined) return special(known);
  const collection = collectionOf(operation.id);
  const isOfAccount = operation.pathParameters.every(({ name }) => name === 'accountId');
  if (collection === undefined || (isOfAccount && operation.pathParameters.length > 0))
    return operation.method === 'GET' && isOfAccount ? {} : undefined;
  if (isOnItem(operation)) return itemRequest(operation, known);
  const parent = parentOf(collection.path, known);
  if (parent === undefined || operation.path !== collection.path) return undefined;
  if (operation.method === 'GET') return { path: parent };
  return operation.method === 'POST'
    ? { path: parent, body: bodyOf(operation, known.model.newName(), known) }
    : undefined;
}

/** The path of the resource that has the collection. Empty for a collection of the workspace. */
function parentOf(collection: string, { draw, model }: Known): Record<string, string> | undefined {
  const [, outer] = /^(.*)\/\{\w+\}\/\w+$/.exec(collection) ?? [];
  if (outer === undefined) return {};
  const item = draw.oneOf(model.items(outer));
  return item && { ...item.path };
}
