/** The format of a target file (YAML or JSON): a deployment under test, and what a run may do to it. */
import { z } from 'zod';
import { BRAND_FORM } from '../brand.ts';
import { describeOperationNames, operationsNamed } from '../operation-names.ts';
import { scopes } from '../values.ts';
import { knownResources } from './known-resources.ts';
import { address, callbackUrl, instant, redirectUri, schemaReference, text } from './parts.ts';
import { json, type DeepReadonly } from './readonly-json.ts';
import { clientCredential, headerCredential } from './secrets.ts';
import type { SecretForm } from './secrets.ts';
import { allowLevels } from './target-values.ts';

const variableName = z
  .string({ error: 'the name of an environment variable' })
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of an environment variable' })
  .describe('Name of the environment variable that contains the secret.');

const fromVariable = z.strictObject({ env: variableName });

const literal = ({ pattern, expected }: SecretForm) =>
  z.strictObject({
    value: z.string({ error: expected }).regex(pattern, { error: expected }).describe('The secret itself.'),
  });

const secret = (form: SecretForm) =>
  z.union([fromVariable, literal(form)], { error: 'an object with exactly one of the keys env, value' });

const clientSecret = secret(clientCredential);

const PARAMETERS =
  'an object of texts by name, such as {audience: my-api}, without grant_type, scope, client_id and client_secret';

const tokenParameters = z
  .record(z.string(), text, { error: PARAMETERS })
  .refine(
    (parameters) => !Object.keys(parameters).some((name) => /^(|grant_type|scope|client_id|client_secret)$/.test(name)),
    { error: PARAMETERS },
  )
  .describe(
    'Further parameters of token requests, for a server that requires some, such as audience or resource. Reports ' +
      'contain them. Default: none.',
  );

const clientCredentials = z.strictObject({
  tokenUrl: address.describe('Token endpoint.'),
  id: clientSecret.describe('Client id.'),
  secret: clientSecret.describe('Client secret.'),
  scope: text.describe('Scopes to request, separated by spaces.').exactOptional(),
  parameters: tokenParameters.exactOptional(),
});

const credential = z
  .union(
    [
      fromVariable,
      literal(headerCredential),
      z.strictObject({
        clientCredentials: clientCredentials.describe('An OAuth client; its token is fetched before the run.'),
      }),
    ],
    { error: 'an object with exactly one of the keys env, value, clientCredentials' },
  )
  .meta({ id: 'Credential' });

const credentials = z.strictObject({
  admin: credential.describe('Account admin.').exactOptional(),
  apiKey: credential.describe('A long-lived API key, if admin is a JWT.').exactOptional(),
  member: credential.describe('May read metrics, is not an account admin.').exactOptional(),
  workspaceAdmin: credential.describe('Workspace admin, not account admin.').exactOptional(),
  unrelated: credential.describe('Valid, with a scope that allows nothing here (mcphub:list).').exactOptional(),
  expired: secret(headerCredential)
    .describe('A token that was valid once and expired more than five minutes ago.')
    .exactOptional(),
  scoped: z
    .partialRecord(z.enum(scopes), credential, {
      error: ({ code }) =>
        code === 'invalid_type' ? 'an object whose keys are scopes, such as agents:update' : undefined,
    })
    .describe('Credentials with a single scope, by scope.')
    .exactOptional(),
});

const client = z.strictObject({
  id: clientSecret.describe('Client id.'),
  secret: clientSecret.describe('Client secret.'),
  tokenUrl: address.describe('Token endpoint. Default: /oauth/token of the host address.').exactOptional(),
  authorizationUrl: address
    .describe('Authorization endpoint. Default: /oauth/authorize of the host address.')
    .exactOptional(),
  redirectUri: redirectUri.describe('A redirect URI registered for this client, not a pattern.').exactOptional(),
  scopes: z.array(text).describe('Scopes the client may request.').exactOptional(),
  parameters: tokenParameters.exactOptional(),
});

const VARIABLES = 'an object of texts by name, such as {LOG_LEVEL: info}';
const TRIGGER_PATH = 'a path without a slash at its end, such as /hooks';
const MOUNT_PATH = 'an absolute path without a slash at its end, such as /data';
const TASKS = 'an array of objects, such as [{name: report}]';
const FIVE_FIELDS = 'a cron expression of five fields, such as "0 9 * * 1"';

const samples = z.strictObject({
  connectionSecrets: z
    .record(text, z.record(text, clientSecret))
    .describe(
      'The secret of a connection, by integration and key, for a deployment that verifies it with the provider. Keys ' +
        'that are missing are made up.',
    )
    .exactOptional(),
  vpcSpec: z
    .record(z.string(), json, { error: 'an object, such as {region: local}' })
    .describe('The spec of a VPC to create, for a deployment that requires fields in it. Default: an empty object.')
    .exactOptional(),
  functionSpec: z
    .record(z.string(), json, { error: 'an object, such as {runtime: {image: demo}}' })
    .describe(
      'Fields of the spec of a function to create, for a deployment that requires more than the documented ones. They ' +
        'are merged into the documented spec.',
    )
    .exactOptional(),
  agentSpec: z
    .record(z.string(), json, { error: 'an object, such as {runtime: {image: demo}}' })
    .describe(
      'Fields of the spec of an agent, for a deployment that requires them in creates and updates. Default: none.',
    )
    .exactOptional(),
  variables: z
    .record(text, z.string(), { error: VARIABLES })
    .refine((variables) => Object.keys(variables).length > 0, { error: VARIABLES })
    .describe(
      'Names and values of environment variables of an agent, for a deployment that limits them. Reports contain them. ' +
        'Default: made-up ones.',
    )
    .exactOptional(),
  triggerPath: z
    .string({ error: TRIGGER_PATH })
    .regex(/^[\x21-\x7e]*[^/\s]$/, { error: TRIGGER_PATH })
    .describe('Where the paths of triggers begin, for a deployment that limits them. Default: made-up paths.')
    .exactOptional(),
  authenticationType: text
    .describe('The authenticationType of http triggers, for a deployment that requires one. Default: none.')
    .exactOptional(),
  tasks: z
    .array(z.record(z.string(), json, { error: TASKS }), { error: TASKS })
    .min(1, { error: TASKS })
    .describe('The tasks of cron triggers, for a deployment that requires some. Default: none.')
    .exactOptional(),
  mountPath: z
    .string({ error: MOUNT_PATH })
    .regex(/^\/.*[^/\s]$/, { error: MOUNT_PATH })
    .describe('The directory of the mount paths of volumes, for a deployment that limits them. Default: various ones.')
    .exactOptional(),
  callbackUrl: callbackUrl
    .describe(
      'The callbackUrl of asynchronous triggers, for a deployment that verifies it. Reports contain it. Default: a ' +
        'made-up URL.',
    )
    .exactOptional(),
  schedule: z
    .string({ error: FIVE_FIELDS })
    .regex(/^\S+( \S+){4}$/, { error: FIVE_FIELDS })
    .describe(
      'The schedule of cron triggers, for a deployment whose plan limits schedules. Default: various expressions.',
    )
    .exactOptional(),
});

const resources = knownResources(text, text);

const operationName = text.refine((name) => operationsNamed(name).length > 0, {
  error: ({ input }) => describeOperationNames(String(input)),
});

const metricsWindow = z
  .strictObject({
    start: instant.describe('Start, inclusive (RFC 3339).'),
    end: instant.describe('End, exclusive (RFC 3339).'),
  })
  .superRefine(({ start, end }, context) => {
    if (Date.parse(end) > Date.parse(start)) return;
    context.addIssue({ code: 'custom', path: ['end'], message: `after start "${start}"` });
  });

const tls = z
  .strictObject({
    ca: text.describe('Certificates of authorities, trusted in addition to those of Node.').exactOptional(),
    cert: text.describe('Client certificate, with its chain. Requires key.').exactOptional(),
    key: text.describe('Private key of the client certificate, without a passphrase.').exactOptional(),
  })
  .superRefine(({ cert, key }, context) => {
    if ((cert === undefined) === (key === undefined)) return;
    const [path, other] = cert === undefined ? ['cert', 'key'] : ['key', 'cert'];
    context.addIssue({ code: 'custom', path: [path], message: `the file that belongs to tls.${other}` });
  });

/** A variable in a target file yields a string. */
const numberOfText = (value: unknown): unknown =>
  typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;

export const targetFileSchema = z
  .strictObject({
    name: text
      .describe('Name of the deployment, for reports. Default: host of the management address.')
      .exactOptional(),
    brand: z
      .string()
      .regex(BRAND_FORM, { error: 'one word of letters and digits that begins with a letter' })
      .describe('The word in the header names, such as X-Svc-Workspace. Default: Svc.')
      .exactOptional(),
    addresses: z
      .strictObject({
        management: address.describe('Base URL of the management API, with the path prefix v0.'),
        host: address.describe('Host surface. Default: management without its last path segment.').exactOptional(),
        inference: address.describe('Inference surface.').exactOptional(),
        sandbox: address.describe('Sandbox surface, of the sandbox named in resources.').exactOptional(),
      })
      .describe('Addresses of the surfaces.'),
    standsFor: address
      .describe('If the addresses are those of a proxy: management address of the target behind it. For ledgers.')
      .exactOptional(),
    workspace: text.describe('Workspace that requests are for.').exactOptional(),
    account: text
      .describe(
        'Account of the workspace. Default: read from GET /accounts; of several, one in which the credentials have their roles.',
      )
      .exactOptional(),
    credentials: credentials.describe('Credentials by role.').exactOptional(),
    client: client.describe('An OAuth client, for the oauth.* rules.').exactOptional(),
    resources: resources
      .describe('Names of existing resources. A rule that needs one that is neither listed nor creatable is not tried.')
      .exactOptional(),
    operations: z
      .array(operationName)
      .min(1)
      .describe(
        'Operations that the deployment has so far, for one that is being built: operationIds or routes such as ' +
          'GET /accounts; * stands for any text. Rules of others are not tried; recorded traffic is judged by all. Default: all.',
      )
      .exactOptional(),
    samples: samples
      .describe('Values that the deployment accepts, in place of made-up ones that it may refuse.')
      .exactOptional(),
    metrics: z
      .strictObject({ window: metricsWindow.describe('A past window that contains data.') })
      .describe('Settings of the metrics rules. Default: the run chooses a window.')
      .exactOptional(),
    allow: z
      .enum(allowLevels)
      .describe('What a run may do: read, write (also create and change) or destroy. Default: read.')
      .exactOptional(),
    rate: z
      .preprocess(numberOfText, z.number().nonnegative())
      .describe('Requests per second. Default: 0, no limit.')
      .exactOptional(),
    tls: tls.describe('Files in PEM format, relative to this file, or their content.').exactOptional(),
    $schema: schemaReference.exactOptional(),
  })
  .meta({ title: 'Target file of assay' });

export type TargetFile = DeepReadonly<z.infer<typeof targetFileSchema>>;

/** A secret: the name of an environment variable, or the value itself. */
export type SecretSource = DeepReadonly<z.infer<typeof clientSecret>>;
/** A credential: a secret, or an OAuth client whose token is fetched when the target is opened. */
export type CredentialSource = DeepReadonly<z.infer<typeof credential>>;
export type ClientCredentials = DeepReadonly<z.infer<typeof clientCredentials>>;
export type TlsSettings = DeepReadonly<z.infer<typeof tls>>;
export type OAuthClientFile = DeepReadonly<z.infer<typeof client>>;
/** Values that the target is known to accept. */
export type Samples = DeepReadonly<z.infer<typeof samples>>;
/** Names of resources that the target is known to have. */
export type KnownResources = DeepReadonly<z.infer<typeof resources>>;
