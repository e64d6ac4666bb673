/** Rules of credentials, scopes and roles on every API. */
import { operations } from '../operations.ts';
import type { Operation } from '../operations.ts';
import type { Requirement } from './requirement.ts';

const idsOf = (speaksOf: (operation: Operation) => boolean) =>
  operations.filter((each) => each.documented && speaksOf(each)).map(({ id }) => id);

const isOfMetrics = ({ path }: Operation): boolean => path.startsWith('/accounts/{accountId}/metrics');

const metricsOperations = idsOf(isOfMetrics);
/** Agent update and metrics have rules of their own. */
const otherManagementOperations = idsOf(
  (each) => each.surface === 'management' && each.id !== 'updateAgent' && !isOfMetrics(each),
);
/** What the bare root answers, and to whom, is not shown. */
const sandboxOperations = idsOf(({ surface, id }) => surface === 'sandbox' && id !== 'getSandboxRoot');

export const authRequirements = [
  {
    id: 'auth.update-agent.missing-credential-401',
    level: 'must',
    rule: 'Agent update without a credential is answered 401 with a management Error body.',
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
    values: { status: 401 },
  },
  {
    id: 'auth.update-agent.bad-credential-401',
    level: 'must',
    rule: 'Agent update with a malformed, unknown or (for a JWT) tampered credential, an expiry moved into the past among the tampering, is answered 401 with an Error body.',
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
    values: { status: 401 },
  },
  {
    id: 'auth.headers.authorization-accepted-on-every-api',
    level: 'must',
    rule: 'Authorization: Bearer is accepted on every API (management, metrics, inference, sandbox).',
    needs: [],
    operations: ['management', 'inference', 'sandbox', 'createJobExecution'],
  },
  {
    id: 'auth.headers.brand-authorization-accepted-on-every-api',
    level: 'must',
    rule: 'X-Svc-Authorization: Bearer is accepted on every API, with the same effect.',
    needs: [],
    operations: ['management', 'inference', 'sandbox', 'createJobExecution'],
  },
  {
    id: 'auth.schemes.jwt-and-api-key-accepted',
    level: 'must',
    rule: 'Both kinds of credential, an OAuth JWT and an API key, are accepted on the management API.',
    needs: ['jwt', 'api-key'],
    operations: ['management'],
  },
  {
    id: 'auth.scopes.update-agent-accepts-agents-update',
    level: 'must',
    rule: 'Agent update accepts a credential whose only scope is agents:update.',
    needs: ['scope:agents:update', 'agent', 'write'],
    operations: ['updateAgent'],
    values: { scope: 'agents:update' },
  },
  {
    id: 'auth.scopes.update-agent-accepts-admin',
    level: 'must',
    rule: 'Agent update accepts a credential with scope admin.',
    needs: ['admin', 'agent', 'write'],
    operations: ['updateAgent'],
    values: { scope: 'admin' },
  },
  {
    id: 'auth.scopes.update-agent-refuses-others-403',
    level: 'must',
    rule: 'Agent update with a valid credential that has neither admin nor agents:update is answered 403 with an Error body, and changes nothing.',
    needs: ['noscope', 'agent', 'write'],
    operations: ['updateAgent'],
    values: { status: 403 },
  },
  {
    id: 'auth.scopes.admin-is-the-default',
    level: 'must',
    rule: 'A management operation for which no scope of its own is documented, the metrics operations apart, refuses a JWT that has neither admin nor a scope of that resource: the answer is 401, 403 or another 4xx that admin does not get, and there is no effect.',
    needs: ['noscope'],
    operations: otherManagementOperations,
  },
  {
    id: 'auth.metrics.bearer-required',
    level: 'must',
    rule: 'Metrics and its two enum operations without a Bearer credential, or with one that nobody has issued, are refused: 401, 403 or another 4xx that a caller who is let in does not get, and no metrics in the body.',
    needs: [],
    operations: metricsOperations,
  },
  {
    id: 'auth.management.credential-required',
    level: 'must',
    rule: 'Every other management operation without a credential, or with one that nobody has issued, is refused with 401, 403 or another 4xx that a caller who is let in does not get, and has no effect (under allow: read, the reading ones).',
    needs: [],
    operations: otherManagementOperations,
  },
  {
    id: 'auth.data-plane.credential-required',
    level: 'must',
    rule: 'Inference calls, job executions and sandbox calls without a credential, or with one that nobody has issued, are refused with 401, 403 or another 4xx that a caller who is let in does not get (a public agent and the bare root of a sandbox apart).',
    needs: [],
    operations: ['inference', 'createJobExecution', ...sandboxOperations],
  },
  {
    id: 'auth.public-agent.open-when-public',
    level: 'must',
    rule: 'An agent with spec.public true and generation mk3 answers inference without a credential, within a bounded time of the update, and with one as before; other agents, and its own update, stay closed.',
    needs: ['mk3-agent', 'write'],
    operations: ['updateAgent', 'queryAgent'],
    values: { generation: 'mk3' },
  },
  {
    id: 'auth.public-agent.closed-again',
    level: 'must',
    rule: 'The same agent, once spec.public is false again, refuses inference without a credential, or with one that nobody has issued, within a bounded time.',
    needs: ['mk3-agent', 'write'],
    operations: ['updateAgent', 'queryAgent'],
    values: { generation: 'mk3' },
  },
  {
    id: 'auth.public-agent.never-on-mk2',
    level: 'must',
    rule: 'spec.public true has no effect on generation mk2: it is refused, or the agent stays closed to calls without a credential.',
    needs: ['agent', 'write'],
    operations: ['updateAgent', 'queryAgent'],
    values: { generation: 'mk2' },
  },
  {
    id: 'auth.headers.scheme-word-any-case',
    level: 'observe',
    rule: 'Whether the scheme word Bearer is matched without regard to case (RFC 9110 11.1), in either header.',
    needs: [],
    operations: ['management'],
  },
  {
    id: 'auth.headers.which-one-wins',
    level: 'observe',
    rule: 'Which credential wins when both headers carry different ones.',
    needs: [],
    operations: ['management'],
  },
  {
    id: 'auth.scopes.what-each-operation-accepts',
    level: 'observe',
    rule: 'For each management operation: which of the listed scopes, alone, lets a call through.',
    needs: [],
    operations: ['management'],
  },
  {
    id: 'auth.workspace-header.missing-or-other',
    level: 'observe',
    rule: 'Creating with an API key and no X-Svc-Workspace header, or with the header naming another or an unknown workspace.',
    needs: ['api-key', 'write'],
    operations: ['createVpc', 'createIntegrationConnection', 'createFunction'],
  },
] as const satisfies readonly Requirement[];
