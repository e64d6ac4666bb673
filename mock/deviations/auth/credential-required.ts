/** Deviations that accept callers without a credential, or with one that was not issued. */
import type { Table } from '../table.ts';
import { sentBody } from '../../wrap/wrapping.ts';
import { all, not, when, type Condition, on } from '../conditions.ts';
import { anonymous, inHeader, sends, statusIs, tokenOf, unknownToken } from './conditions.ts';
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

export const credentialRequiredDeviations: Table = {
  'auth.metrics.bearer-required': {
    'returns the groupBy values without a credential': [anonymously(on('listMetricsGroupBy')), bypassAuth],
    'returns later pages of metrics without a credential': [anonymously(metrics, sends('cursor')), bypassAuth],
    'returns the metrics of one resource type without a credential': [
      anonymously(metrics, sends('resourceType')),
      bypassAuth,
    ],
    'returns the metrics of a requested resolution without a credential': [
      anonymously(metrics, sends('resolution')),
      bypassAuth,
    ],
    'returns the metrics of one workspace without a credential': [anonymously(metrics, sends('workspace')), bypassAuth],
    'returns the metrics of one instance without a credential': [
      anonymously(metrics, sends('resourceUuid')),
      bypassAuth,
    ],
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
    'returns integration info without a credential': [anonymously(on('getIntegration')), bypassAuth],
    'does not verify JWTs for the list of accounts': [all(on('listAccounts'), unverified), bypassAuth],
    'accepts any token in the brand header for the list of accounts': [
      all(on('listAccounts'), inBrandHeader),
      bypassAuth,
    ],
    'returns a cached list of accounts without a credential': [on('listAccounts'), respondFromCache],
    'creates a function without a credential if no workspace is named': [
      anonymously(on('createFunction'), not(namesWorkspace)),
      bypassAuth,
    ],
    'creates a VPC before it requires a credential': [anonymously(on('createVpc')), applyBeforeAuth],
    'creates a function before it checks the token': [all(on('createFunction'), inAuthorization), applyBeforeAuth],
    'deletes a preview token before it requires a credential': [
      anonymously(on('deleteSandboxPreviewToken')),
      applyBeforeAuth,
    ],
    'deletes unused images before it requires a credential': [anonymously(on('deleteUnusedImages')), applyBeforeAuth],
    'returns 500 for a new connection without a credential': [
      anonymously(on('createIntegrationConnection')),
      respond(500),
    ],
    'deletes a template version without a credential': [anonymously(on('deleteVolumeTemplateVersion')), bypassAuth],
  },
  'auth.data-plane.credential-required': {
    'queries a model without a credential': [anonymously(on('queryModel')), bypassAuth],
    'continues a thread of an agent without a credential': [anonymously(agent, inThread), bypassAuth],
    'queries the configured mk3 agent without a credential': [anonymously(agent, configuredMk3), bypassAuth],
    'watches a directory without a credential': [anonymously(on('watchDirectory')), bypassAuth],
    'lists the tools of a function without a credential': [
      anonymously(on('postFunctionMcp'), statusIs(401)),
      afterResponse('bypass auth', async (ctx, app) => {
        const sent = (await sentBody(ctx)) as { readonly method?: unknown } | undefined;
        if (sent?.method === 'tools/list') await runAsAdmin(app, ctx);
      }),
    ],
    'opens the MCP stream of a function without a credential': [anonymously(on('getFunctionMcp')), bypassAuth],
    'ends an MCP session of a sandbox before it requires a credential': [
      anonymously(on('deleteSandboxMcp')),
      applyBeforeAuth,
    ],
    'writes files before it checks the token': [all(on('writeTree'), inBrandHeader), applyBeforeAuth],
    'executes a job before it requires a credential': [anonymously(on('createJobExecution')), applyBeforeAuth],
    'does not verify JWTs for agent queries': [all(agent, unverified), bypassAuth],
    'accepts any token in Authorization for chat completions': [
      all(on('createChatCompletion'), inAuthorization),
      bypassAuth,
    ],
    'returns a cached directory without a credential': [on('readTree'), respondFromCache],
    'returns 500 for an agent query without a credential': [anonymously(agent, statusIs(401)), respond(500)],
  },
};
