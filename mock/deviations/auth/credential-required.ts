/** Deviations that accept callers without a credential, or with one that was not issued. */
import { across, type Table } from '../table.ts';
import { sentBody } from '../../wrap/wrapping.ts';
import { all, not, when, type Condition, on } from '../conditions.ts';
import {
  anonymous,
  inHeader,
  namesVersion,
  ofModernMcp,
  sends,
  statusIs,
  tokenOf,
  unknownToken,
} from './conditions.ts';
import { afterResponse, applyBeforeAuth, bypassAuth, respond, respondFromCache, runAsAdmin } from './effects.ts';

const metrics = on('getAccountMetrics');
const types = on('listMetricsResourceTypes');
const agent = on('queryAgent');
/** Such as an unverified JWT. */
const inThreeParts = when('token of three parts', (ctx) => tokenOf(ctx)?.split('.').length === 3);
const unverified = all(unknownToken, inThreeParts);
const inBrandHeader = all(inHeader('brand'), unknownToken);
const inAuthorization = all(inHeader('standard'), unknownToken);
const namesWorkspace = when('with a workspace', (ctx) => ctx.get(ctx.state.world.headers.workspace) !== '');
const inThread = when('in a thread', (ctx) => ctx.get(ctx.state.world.headers.threadId) !== '');
const configuredMk3 = when('the configured mk3 agent', ({ path, state: { world } }) =>
  path.endsWith(`/${world.target.resources?.mk3Agent}`),
);
const anonymously = (...conditions: readonly Condition[]): Condition => all(...conditions, anonymous);

/** Responds without a credential, and runs what it then refuses. */
const open = (...requests: readonly Condition[]) =>
  across(requests, { 'responds without a credential': [anonymous, bypassAuth] });
const late = (...requests: readonly Condition[]) =>
  across(requests, { 'requires a credential only after it responds': [anonymous, applyBeforeAuth] });

export const credentialRequiredDeviations: Table = {
  'auth.metrics.bearer-required': {
    ...open(
      on('listMetricsGroupBy'),
      ...['cursor', 'resourceType', 'resolution', 'workspace', 'resourceUuid'].map((name) => all(metrics, sends(name))),
    ),
    'returns the metrics in the body of a 401': [
      all(metrics, statusIs(401)),
      afterResponse('leak', async (ctx, app) => {
        const refused = ctx.state.reply!;
        await runAsAdmin(app, ctx);
        ctx.state.reply = { ...refused, body: ctx.state.reply?.body };
      }),
    ],
    'returns cached resource types without a credential': [types, respondFromCache],
    'does not verify JWTs for metrics': [all(metrics, unverified), bypassAuth],
    'accepts any token in the brand header for metrics': [all(metrics, inBrandHeader), bypassAuth],
    'returns 500 for resource types without a credential': [anonymously(types), respond(500)],
  },
  'auth.management.credential-required': {
    ...open(
      on('getIntegration'),
      all(on('listAccounts'), namesVersion),
      on('deleteVolumeTemplateVersion'),
      all(on('createFunction'), not(namesWorkspace)),
    ),
    ...across([on('listAccounts')], {
      'does not verify JWTs': [unverified, bypassAuth],
      'accepts any token in the brand header': [inBrandHeader, bypassAuth],
      'returns cached responses without a credential': respondFromCache,
    }),
    ...late(on('createVpc'), on('deleteSandboxPreviewToken'), on('deleteUnusedImages')),
    'creates a function before it checks the token': [all(on('createFunction'), inAuthorization), applyBeforeAuth],
    'returns 500 for a new connection without a credential': [
      anonymously(on('createIntegrationConnection')),
      respond(500),
    ],
  },
  'auth.data-plane.credential-required': {
    ...open(
      on('queryModel'),
      all(agent, inThread),
      all(agent, configuredMk3),
      on('watchDirectory'),
      on('getFunctionMcp'),
      all(on('postFunctionMcp'), ofModernMcp),
      all(on('postSandboxMcp'), ofModernMcp),
    ),
    'lists the tools of a function without a credential': [
      anonymously(on('postFunctionMcp'), statusIs(401)),
      afterResponse('bypass auth', async (ctx, app) => {
        const sent = (await sentBody(ctx)) as { readonly method?: unknown } | undefined;
        if (sent?.method === 'tools/list') await runAsAdmin(app, ctx);
      }),
    ],
    ...late(on('deleteSandboxMcp'), on('createJobExecution')),
    'writes files before it checks the token': [all(on('writeTree'), inBrandHeader), applyBeforeAuth],
    'does not verify JWTs for agent queries': [all(agent, unverified), bypassAuth],
    'accepts any token in Authorization for chat completions': [
      all(on('createChatCompletion'), inAuthorization),
      bypassAuth,
    ],
    'returns a cached directory without a credential': [on('readTree'), respondFromCache],
    'returns 500 for an agent query without a credential': [anonymously(agent, statusIs(401)), respond(500)],
  },
};
