/** The format of a world file (YAML or JSON): the initial state of a mock. */
import { z } from 'zod';
import { billingDimensions, scopes } from '../values.ts';
import { knownResources } from './known-resources.ts';
import { count, instant, lifetimeSeconds, schemaReference, text } from './parts.ts';
import { MAX_USAGE_AMOUNT, worldLimitNames, worldLimits, type WorldLimitName } from './mock-limits.ts';
import type { DeepReadonly } from './readonly-json.ts';
import { lifecycleKeys } from './world-lifecycles.ts';
import { worldNames, type WorldName } from './world-names.ts';

const matching = (pattern: RegExp, expected: string) =>
  z.string({ error: expected }).regex(pattern, { error: expected });

const name = matching(/^[a-z0-9-]{1,49}$/, '1 to 49 lowercase letters, digits and hyphens');
const region = matching(/^[a-z0-9-]{1,63}$/, '1 to 63 lowercase letters, digits and hyphens');
const positiveInteger = z.int().min(1);
const object = z.record(z.string(), z.unknown());
const stringMap = z.record(z.string(), z.string());

/** In characters, not in UTF-16 code units. */
const MAX_DISPLAY_NAME_LENGTH = 63;

const displayName = z
  .string()
  .refine((value) => [...value].length <= MAX_DISPLAY_NAME_LENGTH, {
    error: `at most ${MAX_DISPLAY_NAME_LENGTH} characters long`,
  })
  .meta({ maxLength: MAX_DISPLAY_NAME_LENGTH });

const account = z.strictObject({
  id: text.describe('Id of the account.'),
  displayName: text.describe('Display name.'),
  plan: text.describe('Billing plan tier.'),
});

const workspace = z.strictObject({
  name: name.describe('Name of the workspace.'),
  account: text.describe('Id of its account.'),
  region: region.describe('Default region of its resources.'),
  createdAt: instant.describe('Time of creation (RFC 3339). Default: the start of the world.').exactOptional(),
});

const caller = z.strictObject({
  id: text.describe('Id of the caller.'),
  kind: z.enum(['user', 'service-account']).describe('A person or a service account.'),
  account: text.describe('Id of its account.'),
  accountRole: z.enum(['account-admin', 'account-member']).describe('Role in the account.'),
  workspaces: z
    .array(
      z.strictObject({
        name: name.describe('Name of the workspace.'),
        role: z.enum(['workspace-admin', 'workspace-member']).describe('Role in the workspace.'),
      }),
    )
    .describe('Workspaces in which the caller has a role; the first is its default.'),
});

const credential = z.strictObject({
  name: text.describe(
    'As in a target file: admin, apiKey, member, workspaceAdmin, unrelated or expired, or a scope for a credential with only that scope.',
  ),
  kind: z.enum(['jwt', 'api-key']).describe('A token that expires, or a long-lived key.'),
  value: text
    .describe(
      'The key itself, only of the kind api-key. Default: derived from the seed, or generated if the host is not loopback.',
    )
    .exactOptional(),
  caller: text.describe('Id of the caller.'),
  scopes: z.array(z.enum(scopes)).describe('Scopes of the credential.'),
  workspace: name.describe('Workspace of the credential. Default: the first workspace of the caller.').exactOptional(),
  lifetimeSeconds: lifetimeSeconds
    .describe('Lifetime of a JWT, in seconds; 0: already expired. Default: one year.')
    .exactOptional(),
});

const clientKeys = {
  id: text.describe('Client id.'),
  name: text.describe('Name on the authorization page. Default: the id.').exactOptional(),
  secret: text.describe('Client secret. Omitted for a public client, which must use PKCE.').exactOptional(),
  redirectUris: z
    .array(text)
    .describe('Redirect URIs, compared exactly. Default: the client may not request authorization codes.')
    .exactOptional(),
};

const client = z.strictObject({
  ...clientKeys,
  scopes: z
    .array(z.enum(scopes))
    .describe('Allowed scopes, granted by default if a request names none. Default: admin.')
    .exactOptional(),
  caller: text
    .describe('Id of the caller of its client-credentials tokens. Default: the client may not use client credentials.')
    .exactOptional(),
  workspace: name
    .describe('Workspace of its client-credentials tokens. Default: the first workspace of the caller.')
    .exactOptional(),
});

const thirdPartyClient = z.strictObject({
  ...clientKeys,
  scopes: z
    .array(text)
    .describe('Scopes that are granted if a request names none; any scope may be requested.')
    .exactOptional(),
});

const identityProvider = z.strictObject({
  users: z.array(text).describe('Users that may log in.'),
  clients: z.array(thirdPartyClient).describe('OAuth clients of the identity provider.'),
});

/** Integration info as documented; what the document leaves open is open here too. */
const integration = z.strictObject({
  name: text.describe('Name of the integration.'),
  secretKeys: z.array(text).describe('Required keys of `spec.secret` of a connection.'),
  additionalInfos: object.describe('Additional information.').exactOptional(),
  endpoints: object
    .describe(
      'Endpoints of the provider. `{identityProvider}` is replaced by the address of the mock identity provider.',
    )
    .exactOptional(),
  headers: object.describe('Headers.').exactOptional(),
  params: object.describe('Parameters.').exactOptional(),
  organizations: z
    .array(
      z.strictObject({
        avatar_url: z.string().describe('URL of the avatar.').exactOptional(),
        displayName: z.string().describe('Display name.').exactOptional(),
        id: z.string().describe('Id at the provider.').exactOptional(),
        name: z.string().describe('Name at the provider.').exactOptional(),
      }),
    )
    .describe('Organizations at the provider.')
    .exactOptional(),
  repositories: z
    .array(
      z.strictObject({
        id: z.string().describe('Id at the provider.').exactOptional(),
        isBl: z.boolean().describe('As in the API document, which does not explain it.').exactOptional(),
        name: z.string().describe('Name at the provider.').exactOptional(),
        organization: z.string().describe('Organization of the repository.').exactOptional(),
        url: z.string().describe('URL of the repository.').exactOptional(),
      }),
    )
    .describe('Repositories at the provider.')
    .exactOptional(),
});

const scriptedError = z.strictObject({
  status: z.int().min(400).max(599).describe('Status code.'),
  error: text.describe('Kind of error.').exactOptional(),
  message: text.describe('Message for people.').exactOptional(),
  retryAfterSeconds: count.describe('Value of the Retry-After header.').exactOptional(),
});

const MAX_REPLY_MS = 31_536_000_000;
const replyTime = count.max(MAX_REPLY_MS, { error: `an integer from 0 to ${MAX_REPLY_MS}, a year` });

const reply = z.strictObject({
  workload: matching(/^(agents|models)\/[a-z0-9-]{1,49}$/, 'agents/<name> or models/<name>')
    .describe('`agents/<name>` or `models/<name>`. Default: any.')
    .exactOptional(),
  workspace: name.describe('Workspace of the workload. Default: any.').exactOptional(),
  pattern: text
    .describe(
      'A regular expression (RE2 syntax) that must match the first 10,000 characters of the input. Default: any input.',
    )
    .exactOptional(),
  times: positiveInteger
    .describe('How many times it is used before later ones apply. Default: always.')
    .exactOptional(),
  reply: z
    .string()
    .describe('The response text; $1 to $9 are the groups of the pattern, $& is the match.')
    .exactOptional(),
  body: z
    .unknown()
    .describe('The whole response body. That of a chat completion also serves streams, in chunks.')
    .exactOptional(),
  error: scriptedError.describe('An error response.').exactOptional(),
  delayMs: replyTime.describe("Delay of the response, in milliseconds of the world's clock.").exactOptional(),
  paceMs: replyTime
    .describe("Time between two chunks of a streamed response, in milliseconds of the world's clock.")
    .exactOptional(),
});

const toolResult = z.strictObject({
  content: z
    .array(z.looseObject({ type: text.describe('Type of the content, such as text.') }))
    .describe('MCP content. Default: `text`, otherwise `structuredContent` as JSON.')
    .exactOptional(),
  text: z.string().describe('Text content.').exactOptional(),
  structuredContent: object.describe('Structured content.').exactOptional(),
  isError: z.boolean().describe('Whether the tool failed.').exactOptional(),
});

const tool = z.strictObject({
  name: matching(/^[A-Za-z0-9_.-]{1,128}$/, '1 to 128 letters, digits, underscores, hyphens and dots').describe(
    'Name of the tool.',
  ),
  title: text.describe('Title for people.').exactOptional(),
  description: text.describe('Description for models.').exactOptional(),
  annotations: z
    .strictObject({
      readOnlyHint: z.boolean().describe('Whether the tool changes nothing.').exactOptional(),
      destructiveHint: z.boolean().describe('Whether the tool may delete data.').exactOptional(),
    })
    .describe('MCP annotations. Default: the tool may change and delete data.')
    .exactOptional(),
  inputSchema: z
    .looseObject({ type: z.literal('object').describe('Arguments are always an object.').exactOptional() })
    .describe('JSON Schema of the arguments object. Default: any object.')
    .exactOptional(),
  result: z
    .union([z.string(), toolResult], {
      error: `a string or an object with the keys ${Object.keys(toolResult.shape).join(', ')}`,
    })
    .describe('Text or an MCP result. Default: the arguments as JSON.')
    .exactOptional(),
});

const positive = `a number above 0, at most ${MAX_USAGE_AMOUNT}`;
const usage = z.strictObject({
  dimension: z.enum(billingDimensions).describe('Billing dimension; one of the type of the resource.'),
  from: instant.describe('Start of the period (RFC 3339), inclusive.'),
  to: instant.describe('End of the period (RFC 3339), exclusive; not after the start of the world.'),
  amount: z
    .number({ error: positive })
    .positive({ error: positive })
    .max(MAX_USAGE_AMOUNT, { error: positive })
    .describe('In the unit of the dimension: GB-seconds, requests or hours. Rounded to its precision.'),
});

const requestsPerDay = 'an integer from 1 to 100000000';
const traffic = z.strictObject({
  requestsPerDay: z
    .int({ error: requestsPerDay })
    .min(1, { error: requestsPerDay })
    .max(100_000_000, { error: requestsPerDay })
    .describe('Requests a day, on average over a week. Each takes a second.'),
  pattern: z.enum(['office-hours', 'evenings', 'nights', 'always']).describe('When they are sent (UTC).'),
});

const resource = z.strictObject({
  workspace: name.describe('Workspace of the resource.'),
  collection: text.describe('As in the URL: agents, integrations/connections, sandboxes/demo-box/previews.'),
  name: name.describe('Name of the resource.'),
  displayName: displayName.describe('Display name.').exactOptional(),
  labels: stringMap.describe('Labels.').exactOptional(),
  spec: object.describe('The spec, as in the request that creates it. Default: empty.').exactOptional(),
  createdAt: instant.describe('Time of creation (RFC 3339). Default: the start of the world.').exactOptional(),
  deletedAt: instant
    .describe('Time of deletion (RFC 3339), after createdAt and in the past. Only its metered usage remains.')
    .exactOptional(),
  createdBy: text.describe('Id of a caller. Default: the first caller of the account.').exactOptional(),
  tools: z
    .union([z.array(tool), z.literal('everything')], { error: '"everything" or an array of tools' })
    .describe('Tools of the MCP server of a function; `everything` covers all MCP features. Default: the tool echo.')
    .exactOptional(),
  files: stringMap.describe('Files of a sandbox: content by path.').exactOptional(),
  usage: z
    .array(usage)
    .describe('Past usage that is billed in addition, spread evenly over its period. Default: none.')
    .exactOptional(),
  isUsageComplete: z
    .boolean()
    .describe(
      'Whether `usage` is all that the resource used before the start of the world, without what its settings would have used. Default: false.',
    )
    .exactOptional(),
  traffic: traffic
    .describe('Synthetic requests to an agent, function, job or sandbox, which are billed. Default: none.')
    .exactOptional(),
});

const limits = z.strictObject(
  Object.fromEntries(
    worldLimitNames.map((key) => [
      key,
      positiveInteger.describe(`${worldLimits[key].what} Default: ${worldLimits[key].max}.`).exactOptional(),
    ]),
  ) as Record<WorldLimitName, z.ZodExactOptional<z.ZodInt>>,
);

const target = z.strictObject({
  account: text.describe('Id of the account.'),
  workspace: name.describe('Workspace of the resources.'),
  client: text.describe('Id of a client with a secret.').exactOptional(),
  resources: knownResources(name, region).describe('Names of resources in the workspace.'),
});

/** A whole world. */
export const worldFileSchema = z
  .strictObject({
    extends: z
      .enum(worldNames)
      .describe(
        'Starts with this world: the other keys replace those of that world, and none of them is required. `addResources` adds to its resources.',
      )
      .exactOptional(),
    accounts: z
      .array(account, {
        error: ({ input }) => (input === undefined ? 'an array, or extends: default' : undefined),
      })
      .describe('Accounts.'),
    workspaces: z.array(workspace).describe('Workspaces.'),
    callers: z.array(caller).describe('Users and service accounts.'),
    credentials: z.array(credential).describe('Keys and tokens. The names admin and apiKey are required.'),
    clients: z.array(client).describe('OAuth 2.0 clients. Default: none.').exactOptional(),
    identityProvider: identityProvider
      .describe('The identity provider below `/_mock/idp`, for integration connections. Default: one with two users.')
      .exactOptional(),
    integrations: z
      .array(integration)
      .describe('Integration providers. Default: those of the default world.')
      .exactOptional(),
    verifyOnCreate: z
      .boolean()
      .describe(
        'Whether the provider verifies the secrets of a connection when it is created, not only when a function uses them. Default: false.',
      )
      .exactOptional(),
    replies: z
      .array(reply)
      .describe(
        'Scripted responses of agents and models; the first match is used. Each has one of reply, body and error, or none to set only the timing. Default: they echo their input.',
      )
      .exactOptional(),
    callbackOrigins: z
      .array(text)
      .describe(
        'Origins, in addition to loopback, that receive callbacks of async triggers, such as https://hooks.shop.example.',
      )
      .exactOptional(),
    mcpOrigins: z
      .array(text)
      .describe(
        'Origins, in addition to the same machine, whose pages may call MCP endpoints, such as https://app.shop.example; `*` allows any.',
      )
      .exactOptional(),
    limits: limits
      .describe('Limits of what the world stores; a request beyond one is refused. Default: see the keys.')
      .exactOptional(),
    ...lifecycleKeys,
    resources: z
      .array(resource)
      .describe(
        'Resources in order of creation: volumes before the agents that mount them, sandboxes before their previews.',
      ),
    addResources: z
      .array(resource)
      .describe('Resources that are created after `resources`, also after those of the extended world. Default: none.')
      .exactOptional(),
    target: target.describe('Content of the target file for this world.'),
    $schema: schemaReference.exactOptional(),
  })
  .meta({
    title: 'World file of assay',
    required: undefined,
    anyOf: [
      { required: ['extends'] },
      { required: ['accounts', 'workspaces', 'callers', 'credentials', 'resources', 'target'] },
    ],
  });

/** What differs from the extended world. */
export const worldExtensionSchema = worldFileSchema.partial().required({ extends: true });

export type WorldFile = DeepReadonly<z.infer<typeof worldFileSchema>>;
export type WorldExtension = Partial<WorldFile> & { readonly extends: WorldName };
export type CallerFile = DeepReadonly<z.infer<typeof caller>>;
export type CredentialFile = DeepReadonly<z.infer<typeof credential>>;
export type ClientFile = DeepReadonly<z.infer<typeof client>>;
export type ThirdPartyClientFile = DeepReadonly<z.infer<typeof thirdPartyClient>>;
export type IdentityProviderFile = DeepReadonly<z.infer<typeof identityProvider>>;
export type IntegrationFile = DeepReadonly<z.infer<typeof integration>>;
export type ReplyFile = DeepReadonly<z.infer<typeof reply>>;
export type ErrorFile = DeepReadonly<z.infer<typeof scriptedError>>;
export type ResourceFile = DeepReadonly<z.infer<typeof resource>>;
/** A tool of a function's MCP server. */
export type ToolFile = DeepReadonly<z.infer<typeof tool>>;
/** Names for the target file of a world. */
export type TargetNames = DeepReadonly<z.infer<typeof target>>;

/** Whether a client secret can be at this path, so that no value there is printed. */
export const mayHoldClientSecret = (at: string): boolean =>
  /(?:^|\.)clients(?:\[\d+\](?:\.secret)?)?$|(?:^|\.)credentials(?:\[\d+\](?:\.value)?)?$/.test(at);
