/** Rules for credentials and scopes on every API. */
import { operations } from '../operations.ts';
import type { Operation } from '../operations.ts';
import type { Requirement } from './requirement.ts';

const documentedIds = (matches: (operation: Operation) => boolean) =>
  operations.filter((operation) => operation.documented && matches(operation)).map(({ id }) => id);

const isMetricsOperation = ({ path }: Operation): boolean => path.startsWith('/accounts/{accountId}/metrics');

const metricsOperations = documentedIds(isMetricsOperation);
/** Agent update and metrics have separate rules. */
const otherManagementOperations = documentedIds(
  (operation) => operation.surface === 'management' && operation.id !== 'updateAgent' && !isMetricsOperation(operation),
);
/** Without the root: its response and authentication are not documented. */
const sandboxOperations = documentedIds(({ surface, id }) => surface === 'sandbox' && id !== 'getSandboxRoot');

export const authRequirements = [
  {
    id: 'auth.update-agent.missing-credential-401',
    level: 'must',
    since: '0.1.0',
    rule: 'Updating an agent without a credential returns 401 with a management Error body.',
    sources: [{ heading: 'Errors', words: 'Agent update: invalid or missing credentials' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'auth.update-agent.bad-credential-401',
    level: 'must',
    since: '0.1.0',
    rule: 'Updating an agent with a malformed or unknown credential, or with a tampered JWT (including one whose expiry was changed to a past time), returns 401 with an Error body.',
    sources: [{ heading: 'Errors', words: 'Agent update: invalid or missing credentials' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'auth.credentials.expired-refused',
    level: 'must',
    since: '0.1.0',
    rule: 'An expired token is rejected: management operations, agent and model queries, messages to a function, reads of a sandbox and job executions return 4xx and have no effect, and updating an agent returns 401 with an Error body (no writes or executions with allow: read, and image cleanups only with allow: destroy). The token is that of the target file, or one of the client that expires within the patience of the run; not tried if there is neither.',
    sources: [
      { heading: 'Errors', words: 'Agent update: invalid or missing credentials' },
      { heading: 'Authentication', words: 'the service 2.0 (JWT tokens)' },
      {
        standard: 'RFC 7519',
        section: '4.1.4',
        words: 'on or after which the JWT MUST NOT be accepted for processing',
      },
      { standard: 'RFC 6749', section: '5.1', words: 'The lifetime in seconds of the access token.' },
    ],
    needs: [],
    operations: [
      'updateAgent',
      ...metricsOperations,
      ...otherManagementOperations,
      'queryAgent',
      'queryModel',
      'createChatCompletion',
      'postFunctionMcp',
      'createJobExecution',
      'readTree',
      'listMultipartUploads',
    ],
    values: { leewaySeconds: 300 },
  },
  {
    id: 'auth.forged-tokens.refused',
    level: 'must',
    since: '0.1.0',
    rule: 'Tokens that the target never issued as access tokens are rejected with 4xx on every API: without an algorithm or a valid signature, signed with a public key as the secret or with a key that the token itself contains or points to, for another issuer, audience, type or time, or with an unknown critical parameter. They are made from a JWT of the target file or one that its client gets, and from the keys that the target publishes. So are refresh tokens and ID tokens that it issues to the client of the target file.',
    sources: [
      { heading: 'Errors', words: 'Agent update: invalid or missing credentials' },
      { heading: 'Authentication', words: 'the service 2.0 (JWT tokens)', about: ['a forged token'] },
      {
        heading: 'Authentication',
        words: 'Authorization: Bearer <ACCESS_TOKEN>',
        about: ['a refresh token', 'an ID token'],
      },
      {
        standard: 'RFC 6749',
        section: '1.5',
        words:
          'refresh tokens are intended for use only with authorization servers and are never sent to resource servers',
        about: ['a refresh token'],
      },
      {
        standard: 'RFC 7519',
        section: '7.2',
        words:
          'If any of the listed steps fail, then the JWT MUST be rejected -- that is, treated by the application as an invalid input.',
        about: ['a forged token'],
      },
      {
        standard: 'RFC 8725',
        section: '3.3',
        words:
          'All cryptographic operations used in the JWT MUST be validated and the entire JWT MUST be rejected if any of them fail to validate.',
        about: ['a forged token'],
      },
    ],
    needs: [],
    operations: [
      'listAccounts',
      'getAccountMetrics',
      'queryAgent',
      'queryModel',
      'createChatCompletion',
      'postFunctionMcp',
      'readTree',
      'listMultipartUploads',
    ],
  },
  {
    id: 'auth.headers.authorization-accepted-on-every-api',
    level: 'must',
    since: '0.1.0',
    rule: 'Every API (management, metrics, inference, sandbox) accepts Authorization: Bearer.',
    sources: [{ heading: 'Authentication', words: 'both headers are accepted on every API' }],
    needs: [],
    operations: ['management', 'inference', 'sandbox', 'createJobExecution'],
  },
  {
    id: 'auth.headers.brand-authorization-accepted-on-every-api',
    level: 'must',
    since: '0.1.0',
    rule: 'Every API accepts X-Svc-Authorization: Bearer, with the same effect as Authorization: Bearer.',
    sources: [{ heading: 'Authentication', words: 'both headers are accepted on every API' }],
    needs: [],
    operations: ['management', 'inference', 'sandbox', 'createJobExecution'],
  },
  {
    id: 'auth.schemes.jwt-and-api-key-accepted',
    level: 'must',
    since: '0.1.0',
    rule: 'The management API accepts both kinds of credential: an OAuth JWT and an API key.',
    sources: [
      {
        heading: 'Authentication',
        words: 'The security scheme set of the management API allows either of two schemes per operation.',
      },
    ],
    needs: ['jwt', 'api-key'],
    operations: ['management'],
  },
  {
    id: 'auth.scopes.update-agent-accepts-agents-update',
    level: 'must',
    since: '0.1.0',
    rule: 'Updating an agent succeeds with a credential whose only scope is agents:update.',
    sources: [{ heading: 'Authentication', words: 'Update of an agent accepts `agents:update`.' }],
    needs: ['scope:agents:update', 'agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'auth.scopes.update-agent-accepts-admin',
    level: 'must',
    since: '0.1.0',
    rule: 'Updating an agent succeeds with a credential that has the scope admin.',
    sources: [{ heading: 'Authentication', words: 'Scope `admin` (administrative access) is the default requirement' }],
    needs: ['admin', 'agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'auth.scopes.update-agent-refuses-others-403',
    level: 'must',
    since: '0.1.0',
    rule: 'Updating an agent with a valid credential that has neither admin nor agents:update returns 403 with an Error body and changes nothing.',
    sources: [{ heading: 'Errors', words: 'Agent update: insufficient permission' }],
    needs: ['noscope', 'agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'auth.scopes.admin-is-the-default',
    level: 'must',
    since: '0.1.0',
    rule: 'A management operation without a documented scope (other than the metrics operations) rejects a JWT that has neither admin nor a scope of that resource with 401, 403 or another 4xx that an admin does not get, and has no effect.',
    sources: [
      {
        heading: 'Authentication',
        words:
          'Scope `admin` (administrative access) is the default requirement; an operation may instead accept its own scope.',
      },
    ],
    needs: ['noscope'],
    operations: otherManagementOperations,
  },
  {
    id: 'auth.metrics.bearer-required',
    level: 'must',
    since: '0.1.0',
    rule: 'Metrics and their two enum operations reject a request without a Bearer credential, or with a credential that was never issued: they return 401, 403 or another 4xx that an authorized caller does not get, and no metrics.',
    sources: [{ heading: 'Authentication', words: 'Billing metrics calls require a Bearer token.' }],
    needs: [],
    operations: metricsOperations,
  },
  {
    id: 'auth.management.credential-required',
    level: 'must',
    since: '0.1.0',
    rule: 'Every other management operation rejects a request without a credential, or with a credential that was never issued, with 401, 403 or another 4xx that an authorized caller does not get, and has no effect (with allow: read, only reading operations are tried).',
    sources: [
      {
        heading: 'Authentication',
        words: 'The security scheme set of the management API allows either of two schemes per operation.',
      },
    ],
    needs: [],
    operations: otherManagementOperations,
  },
  {
    id: 'auth.data-plane.credential-required',
    level: 'must',
    since: '0.1.0',
    rule: 'Inference calls, job executions and sandbox calls without a credential, or with a credential that was never issued, are rejected with 401, 403 or another 4xx that an authorized caller does not get (public agents and the root of a sandbox are exempt).',
    sources: [
      {
        heading: 'Inference endpoints (`{run_url}`)',
        words:
          'Headers for these calls: `Content-Type: application/json` and the credential header (see Authentication).',
      },
      { heading: 'Authentication', words: 'Sandbox calls use a Bearer credential in the same headers.' },
    ],
    needs: [],
    operations: ['inference', 'createJobExecution', ...sandboxOperations],
  },
  {
    id: 'auth.public-agent.open-when-public',
    level: 'must',
    since: '0.1.0',
    rule: 'Within a bounded time after an update, an mk3 agent with spec.public true serves inference without a credential and still serves it with one; other agents, and updates of this agent, still require a credential.',
    sources: [
      {
        heading: 'Authentication',
        words: 'Public agents (`spec.public` true, mk3 only) can be called without authentication.',
      },
    ],
    needs: ['mk3-agent', 'write'],
    operations: ['updateAgent', 'queryAgent'],
  },
  {
    id: 'auth.public-agent.closed-again',
    level: 'must',
    since: '0.1.0',
    rule: 'Within a bounded time after spec.public is false again, because an update sets or omits it, the agent rejects inference without a credential or with a credential that was never issued.',
    sources: [
      { heading: 'AgentSpec', words: 'Default false. When true the agent is reachable without authentication.' },
    ],
    needs: ['mk3-agent', 'write'],
    operations: ['updateAgent', 'queryAgent'],
  },
  {
    id: 'auth.public-agent.never-on-mk2',
    level: 'must',
    since: '0.1.0',
    rule: 'On generation mk2, spec.public true has no effect: the update is rejected, or calls without a credential still are.',
    sources: [{ heading: 'AgentSpec', words: 'Only available for generation mk3.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent', 'queryAgent'],
  },
  {
    id: 'auth.headers.scheme-word-any-case',
    level: 'observe',
    since: '0.1.0',
    rule: 'Whether the scheme name Bearer is case-insensitive (RFC 9110 11.1) in either header.',
    sources: [
      {
        heading: 'Authentication',
        words:
          'send the key or token as `Authorization: Bearer <ACCESS_TOKEN>` or as `X-Svc-Authorization: Bearer <API_KEY>`',
      },
    ],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'auth.headers.token-spelling',
    level: 'observe',
    since: '0.1.0',
    rule: 'Whether a valid JWT is accepted in another spelling: with padding, other unused bits or a space in its signature (RFC 7515 2), or two spaces before it (RFC 9110 11.4).',
    sources: [
      {
        heading: 'Authentication',
        words:
          'send the key or token as `Authorization: Bearer <ACCESS_TOKEN>` or as `X-Svc-Authorization: Bearer <API_KEY>`',
      },
    ],
    needs: ['jwt'],
    operations: ['management'],
  },
  {
    id: 'auth.headers.which-one-wins',
    level: 'observe',
    since: '0.1.0',
    rule: 'Which credential takes precedence if the two headers carry different ones.',
    sources: [{ heading: 'Authentication', words: 'both headers are accepted on every API' }],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'auth.scopes.what-each-operation-accepts',
    level: 'observe',
    since: '0.1.0',
    rule: 'For each management operation: which of the listed scopes is sufficient on its own.',
    sources: [{ heading: 'Authentication', words: 'an operation may instead accept its own scope' }],
    needs: [],
    operations: ['management'],
  },
  {
    id: 'auth.workspace-header.missing-or-other',
    level: 'observe',
    since: '0.1.0',
    rule: 'Creating with an API key if X-Svc-Workspace is missing, or names another or an unknown workspace.',
    sources: [
      {
        heading: 'Authentication',
        words: 'Calls that create resources with an API key also carry `X-Svc-Workspace: <workspace_id>`.',
      },
    ],
    needs: ['api-key', 'write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
] as const satisfies readonly Requirement[];
