/** The format of a snapshot: a whole world as JSON. Shares definitions with the world file. */
import type { Setting } from '../metrics/causes.ts';
import { z } from 'zod';
import { specLimits } from '../../spec/formats/mock-limits.ts';
import { count, instant as time, lifetimeSeconds, text } from '../../spec/formats/parts.ts';
import { worldFileSchema } from '../../spec/formats/world-file.ts';
import { lifecyclesSchema, MAX_PLANNED_MS } from '../../spec/formats/world-lifecycles.ts';
import { billingDimensions, billingDimensionTable, scopes } from '../../spec/values.ts';
import type { ResourceType } from '../metrics/dimensions.ts';
import { courses, type Course, type Deployment } from '../state/deployments.ts';
import { MAX_TOKEN_ISSUERS } from '../state/oauth.ts';
import type { AsyncRequest, Invocation, SentMessage, Use } from '../state/inference.ts';

/** Milliseconds since 1970: a timestamp can be printed for each, also with a planned duration added. */
const MIN_INSTANT = -100_000_000_000_000;
const MAX_INSTANT = 400_000_000_000_000;
const INSTANT = `an integer from ${MIN_INSTANT} to ${MAX_INSTANT}, in milliseconds since 1970`;

export const instant = z
  .int({ error: INSTANT })
  .min(MIN_INSTANT, { error: INSTANT })
  .max(MAX_INSTANT, { error: INSTANT });
const object = z.record(z.string(), z.unknown());
const kind = z.enum(['jwt', 'api-key']);
const scopeList = z.array(z.enum(scopes)).readonly();
const resourceTypes = new Set(Object.values(billingDimensionTable).map(({ resourceType }) => resourceType));

const mapOf = <Value extends z.ZodType>(value: Value) => z.record(z.string(), value);

/** Plain data that only the mock writes: the members that it computes with are checked. */
const computedWith = <Type>(shape: Partial<Readonly<Record<keyof Type, z.ZodType>>>) =>
  z.looseObject(shape as z.ZodRawShape) as unknown as z.ZodType<Type>;

const upTo = (max: number) => z.int().min(0).max(max);

/** Milliseconds. */
export const duration = z.number().min(0).max(MAX_PLANNED_MS);

const deployment = z.strictObject({
  course: z.enum(Object.keys(courses) as Course[]),
  revision: z.string(),
  startedAt: instant,
  canaryRevision: z.string().exactOptional(),
  image: z.string().exactOptional(),
  runtime: object.exactOptional(),
  volumes: z.array(text).exactOptional(),
  replaces: z
    .strictObject({
      image: z.string().exactOptional(),
      runtime: object.exactOptional(),
      volumes: z.array(text).exactOptional(),
      lostAt: instant.exactOptional(),
    })
    .exactOptional(),
  durations: (mapOf(duration) as unknown as z.ZodType<NonNullable<Deployment['durations']>>).exactOptional(),
  ending: z.strictObject({ status: z.enum(['DEPLOYED', 'FAILED']), at: instant, message: z.string() }).exactOptional(),
  incidents: z
    .array(z.strictObject({ at: instant, cause: text, message: z.string(), isFatal: z.boolean() }))
    .exactOptional(),
});

const { accounts, workspaces, callers, integrations, target, replies, callbackOrigins, mcpOrigins, limits, resources } =
  worldFileSchema.shape;
const { tools } = resources.element.shape;

const resource = z.strictObject({
  name: text,
  metadata: object,
  spec: object,
  createdAt: instant,
  createdBy: text,
  updatedAt: instant,
  updatedBy: text,
  deployments: z.array(deployment),
  uuid: text.exactOptional(),
  tools,
  foreignCallbacks: z.array(z.string()).readonly().exactOptional(),
});

/** Sizes are in steps of 256 and 100 MB. */
const setting = computedWith<Setting>({
  from: instant,
  serves: z.boolean(),
  memory: upTo(specLimits.memory.max),
  minScale: upTo(specLimits.minScale.max),
  canaryMemory: upTo(specLimits.minScale.max * specLimits.memory.max).exactOptional(),
  isAsync: z.boolean(),
  image: upTo(specLimits.size.max),
  size: upTo(specLimits.size.max),
});

/** The tasks of an execution can take longer than any plan in all. */
const second = z.int().min(MIN_INSTANT).max(MAX_INSTANT);

const use = computedWith<Use>({
  dimension: z.enum(billingDimensions),
  second,
  ticks: count,
  repeats: z
    .union(
      [
        z.strictObject({ everySeconds: z.int().min(1), times: z.int().min(2) }),
        z.strictObject({ schedule: text, until: second }),
      ],
      {
        error: 'an object with everySeconds and times, or with schedule and until',
      },
    )
    .exactOptional(),
});

const invocation = computedWith<Invocation>({ at: instant, workspace: text, workload: text });
const message = computedWith<SentMessage>({ at: instant, workspace: text });

const request = computedWith<AsyncRequest>({
  id: text,
  workspace: text,
  agent: text,
  acceptedAt: instant,
  completesAt: instant.exactOptional(),
  waiting: z.strictObject({ revision: z.string(), durationMs: duration }).exactOptional(),
  outcome: z.looseObject({ status: count }),
  callback: z
    .looseObject({ url: text, secret: z.string(), dueAt: instant.exactOptional(), left: count })
    .exactOptional(),
  attempts: z.array(z.looseObject({ at: instant })),
});

const lifetime = z.strictObject({
  account: text,
  workspace: text,
  type: z.enum([...resourceTypes] as ResourceType[]),
  name: text,
  uuid: text,
  start: instant,
  end: instant.exactOptional(),
  settings: z.array(setting),
  traffic: resources.element.shape.traffic,
});

const directory = z.strictObject({ kind: z.literal('directory') });

const file = z.strictObject({
  kind: z.literal('file'),
  content: z.string(),
  encoding: z.enum(['utf8', 'base64']),
  size: count,
  permissions: count,
  owner: text,
  group: text,
  lastModified: instant,
});

const filesystem = z.strictObject({
  entries: mapOf(z.discriminatedUnion('kind', [directory, file], { error: 'directory or file' })).superRefine(
    (entries, context) => {
      const relative = Object.keys(entries).find((path) => !path.startsWith('/'));
      if (relative !== undefined)
        context.addIssue({ code: 'custom', path: [relative], message: 'at an absolute path' });
      if (entries['/']?.kind !== 'directory') context.addIssue({ code: 'custom', path: ['/'], message: 'a directory' });
    },
  ),
});

const upload = z.strictObject({
  uploadId: text,
  path: text,
  permissions: count,
  initiatedAt: instant,
  parts: mapOf(z.strictObject({ content: z.string(), size: count, etag: text, uploadedAt: instant })),
});

const client = z.looseObject({
  id: text,
  name: z.string(),
  secret: z.string().exactOptional(),
  redirectUris: z.array(z.string()),
  scopes: z.array(z.string()),
  caller: z.string().exactOptional(),
  workspace: z.string().exactOptional(),
});

const grant = z.strictObject({
  id: text,
  client: text,
  subject: text,
  scopes: z.array(text).readonly(),
  offline: z.boolean(),
});
const refreshToken = z.strictObject({ grant, expiresAt: instant, used: z.boolean() });
const code = refreshToken.extend({
  redirectUri: text.exactOptional(),
  challenge: z.strictObject({ value: text, method: z.enum(['S256', 'plain']) }).exactOptional(),
});

/** Pairs of a code, token or id and its entry. */
const entriesOf = <Value extends z.ZodType>(value: Value) =>
  z.array(z.tuple([text, value], { error: 'a pair of a code, token or id and its entry' }));

const oauth = z.strictObject({
  codes: entriesOf(code),
  refreshTokens: entriesOf(refreshToken),
  revoked: entriesOf(z.strictObject({ expiresAt: instant })),
});

const publicKey = z.string().regex(/^[\w-]{43}$/, { error: 'an Ed25519 public key: 32 bytes as Base64url' });

export const snapshotSchema = z.strictObject({
  snapshot: z.literal(1).describe('Format version.'),
  seed: z.int(),
  clock: z.strictObject({ now: time, mode: z.enum(['running', 'frozen']) }),
  random: z.int().describe('State of the random generator.'),
  tokenIssuers: z
    .array(z.object({ audience: text, publicKey }))
    .max(MAX_TOKEN_ISSUERS)
    .describe('Where its JWTs were signed, with the public keys that verify them. Default: this world.')
    .exactOptional(),
  limits,
  accounts,
  workspaces: z.array(workspaces.element.omit({ createdAt: true })),
  invitations: z.array(z.tuple([text, z.array(text)], { error: 'a pair of a workspace and the invited callers' })),
  callers,
  credentials: z.array(
    z.strictObject({
      token: text,
      kind,
      caller: text,
      scopes: scopeList,
      workspace: text,
      expiresAt: instant.exactOptional(),
      revocableAs: z.array(text).readonly().exactOptional(),
    }),
  ),
  namedCredentials: z.array(
    z.strictObject({
      name: text,
      kind,
      caller: text,
      scopes: scopeList,
      workspace: text,
      lifetimeSeconds,
      token: text.exactOptional(),
    }),
  ),
  integrations: integrations.unwrap(),
  connectionSecrets: z.array(
    z.tuple([text, z.record(z.string(), z.string())], { error: 'a pair of a connection and its secrets' }),
  ),
  verifyOnCreate: z.boolean(),
  resources: mapOf(z.array(resource)),
  lifetimes: z.array(lifetime),
  sandboxes: mapOf(z.strictObject({ uuid: text, filesystem, uploads: mapOf(upload) })),
  target,
  clients: z.array(client),
  oauth,
  identityProvider: z.strictObject({ users: z.array(text), clients: z.array(client), state: oauth }),
  replies: replies.unwrap(),
  callbackOrigins: callbackOrigins.unwrap(),
  inference: z.strictObject({
    threads: mapOf(z.array(z.string())),
    uses: mapOf(z.array(use)),
    invocations: z.array(invocation),
    requests: z.array(request).refine((requests) => new Set(requests.map(({ id }) => id)).size === requests.length, {
      error: 'an array of requests with different ids',
    }),
    messages: z.array(message),
    repliesGiven: mapOf(count),
    cronUpTo: instant,
  }),
  mcpOrigins: mcpOrigins.unwrap(),
  lifecycles: z.strictObject({
    plan: lifecyclesSchema,
    used: mapOf(count),
    lastUsed: mapOf(instant),
    sessions: mapOf(z.strictObject({ revision: text, until: instant })),
  }),
});

export type Snapshot = z.infer<typeof snapshotSchema>;

const SECRET_MEMBERS = /^(?:credentials|namedCredentials|connectionSecrets|clients|oauth|identityProvider)\b/;

/** Whether a token, code or client secret can be at this path, so that no value there is printed. */
export const mayHoldToken = (at: string): boolean =>
  SECRET_MEMBERS.test(at) && !/\.(?:kind|caller|scopes(?:\[\d+\])?|workspace)$/.test(at);
