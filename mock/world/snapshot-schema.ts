/** JSON Schema of a snapshot. Shares definitions with the world file. */
import { listOf, record, worldFileSchema } from '../../fixtures/worlds/world-file-schema.ts';
import { billingDimensionTable, scopes } from '../../spec/values.ts';
import { courses } from '../state/deployments.ts';

const text = { type: 'string', minLength: 1 } as const;
const count = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const instant = { type: 'integer', 'x-unit': 'milliseconds since 1970' } as const;
const object = { type: 'object' } as const;
const kind = { type: 'string', enum: ['jwt', 'api-key'] } as const;
const resourceTypes = new Set(Object.values(billingDimensionTable).map(({ resourceType }) => resourceType));
const seed = { type: 'integer' } as const;
const scopeList = listOf({ type: 'string', enum: scopes });

function mapOf(values: object) {
  return { type: 'object', additionalProperties: values };
}

const deployment = record({
  course: { type: 'string', enum: Object.keys(courses) },
  revision: { type: 'string' },
  startedAt: instant,
  'canaryRevision?': { type: 'string' },
  'image?': { type: 'string' },
  'replaces?': record({ 'image?': { type: 'string' } }),
});

const resource = record({
  name: text,
  metadata: object,
  spec: object,
  createdAt: instant,
  createdBy: text,
  updatedAt: instant,
  updatedBy: text,
  deployments: listOf(deployment),
  'uuid?': text,
  'tools?': {},
});

const lifetime = record({
  account: text,
  workspace: text,
  type: { type: 'string', enum: [...resourceTypes] },
  name: text,
  uuid: text,
  start: instant,
  'end?': instant,
});

const file = record({
  kind: { type: 'string', const: 'file' },
  content: { type: 'string' },
  encoding: { type: 'string', enum: ['utf8', 'base64'] },
  size: count,
  permissions: count,
  owner: text,
  group: text,
  lastModified: instant,
});

const upload = record({
  uploadId: text,
  path: text,
  permissions: count,
  initiatedAt: instant,
  parts: mapOf(record({ content: { type: 'string' }, size: count, etag: text, uploadedAt: instant })),
});

const directory = record({ kind: { type: 'string', const: 'directory' } });

const filesystem = record({
  entries: {
    type: 'object',
    required: ['/'],
    properties: { '/': directory },
    propertyNames: { type: 'string', pattern: '^/', 'x-allowed': 'an absolute path' },
    additionalProperties: {
      if: directory,
      else: file,
    },
  },
});

const client = { type: 'object', required: ['id', 'redirectUris', 'scopes'], properties: { id: text } } as const;
const grant = record({ id: text, client: text, subject: text, scopes: listOf(text), offline: { type: 'boolean' } });
const granted = { grant, expiresAt: instant, used: { type: 'boolean' } } as const;
const challenge = record({ value: text, method: { type: 'string', enum: ['S256', 'plain'] } });
const code = record({ ...granted, 'redirectUri?': text, 'challenge?': challenge });

/** Pairs of a code, token or id and its entry. */
function entriesOf(values: object) {
  return listOf({ type: 'array', prefixItems: [text, values], minItems: 2, maxItems: 2 });
}

const oauth = record({
  codes: entriesOf(code),
  refreshTokens: entriesOf(record(granted)),
  revoked: entriesOf(record({ expiresAt: instant })),
});

const { accounts, callers, integrations, target, replies, callbackOrigins, mcpOrigins } =
  worldFileSchema.properties as Record<string, object>;

export const snapshotSchema = record({
  snapshot: { type: 'integer', const: 1 },
  seed,
  clock: record({ now: time, mode: { type: 'string', enum: ['running', 'frozen'] } }),
  random: { type: 'integer' },
  accounts: accounts ?? {},
  workspaces: listOf(record({ name: text, account: text, region: text })),
  callers: callers ?? {},
  credentials: listOf(
    record({
      token: { ...text, 'x-secret': true },
      kind,
      caller: text,
      scopes: scopeList,
      workspace: text,
      'expiresAt?': instant,
      'revocableAs?': listOf(text),
    }),
  ),
  namedCredentials: listOf(
    record({
      name: text,
      kind,
      caller: text,
      scopes: scopeList,
      workspace: text,
      lifetimeSeconds: count,
      'token?': { ...text, 'x-secret': true },
    }),
  ),
  integrations: integrations ?? {},
  resources: mapOf(listOf(resource)),
  lifetimes: listOf(lifetime),
  sandboxes: mapOf(record({ uuid: text, filesystem, uploads: mapOf(upload) })),
  target: target ?? {},
  clients: listOf(client),
  oauth,
  identityProvider: record({ users: listOf(text), clients: listOf(client), state: oauth }),
  replies: replies ?? {},
  callbackOrigins: callbackOrigins ?? {},
  inference: record({
    threads: mapOf(listOf({ type: 'string' })),
    uses: mapOf(listOf(object)),
    invocations: listOf(object),
    requests: listOf(object),
    repliesGiven: mapOf(count),
    cronUpTo: instant,
  }),
  mcpOrigins: mcpOrigins ?? {},
});
