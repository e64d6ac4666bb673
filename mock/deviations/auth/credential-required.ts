/** Deviations that accept callers without a credential, or with one that was not issued. */
import { sentBody } from '../../wrap/wrapping.ts';
import { all, not, when, type Condition, on } from '../conditions.ts';
import { deviationsOf } from '../table.ts';
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

export const credentialRequiredDeviations = deviationsOf({
  'auth.metrics.bearer-required': {
    '': ['Returns the groupBy values without a credential', anonymously(on('listMetricsGroupBy')), bypassAuth],
    'later-pages': [
      'Returns later pages of metrics without a credential',
      anonymously(metrics, sends('cursor')),
      bypassAuth,
    ],
    'one-type': [
      'Returns the metrics of one resource type without a credential',
      anonymously(metrics, sends('resourceType')),
      bypassAuth,
    ],
    resolution: [
      'Returns the metrics of a requested resolution without a credential',
      anonymously(metrics, sends('resolution')),
      bypassAuth,
    ],
    'one-workspace': [
      'Returns the metrics of one workspace without a credential',
      anonymously(metrics, sends('workspace')),
      bypassAuth,
    ],
    'one-instance': [
      'Returns the metrics of one instance without a credential',
      anonymously(metrics, sends('resourceUuid')),
      bypassAuth,
    ],
    'in-the-body': [
      'Returns the metrics in the body of a 401',
      all(metrics, statusIs(401)),
      afterResponse('leak', async (ctx, app) => {
        const refused = ctx.state.reply!;
        await runAsAdmin(app, ctx);
        ctx.state.reply = { ...refused, body: ctx.state.reply?.body };
      }),
    ],
    kept: ['Returns cached resource types without a credential', types, respondFromCache],
    unsigned: ['Does not verify JWTs for metrics', all(metrics, unverified), bypassAuth],
    'any-token': ['Accepts any token in the brand header for metrics', all(metrics, inBrandHeader), bypassAuth],
    '500': ['Returns 500 for resource types without a credential', anonymously(types), respond(500)],
  },
  'auth.management.credential-required': {
    '': ['Returns integration info without a credential', anonymously(on('getIntegration')), bypassAuth],
    unsigned: ['Does not verify JWTs for the list of accounts', all(on('listAccounts'), unverified), bypassAuth],
    'any-token': [
      'Accepts any token in the brand header for the list of accounts',
      all(on('listAccounts'), inBrandHeader),
      bypassAuth,
    ],
    kept: ['Returns a cached list of accounts without a credential', on('listAccounts'), respondFromCache],
    'no-workspace': [
      'Creates a function without a credential if no workspace is named',
      anonymously(on('createFunction'), not(namesWorkspace)),
      bypassAuth,
    ],
    'create-too-late': ['Creates a VPC before it requires a credential', anonymously(on('createVpc')), applyBeforeAuth],
    'function-too-late': [
      'Creates a function before it checks the token',
      all(on('createFunction'), inAuthorization),
      applyBeforeAuth,
    ],
    'deletion-too-late': [
      'Deletes a preview token before it requires a credential',
      anonymously(on('deleteSandboxPreviewToken')),
      applyBeforeAuth,
    ],
    'images-too-late': [
      'Deletes unused images before it requires a credential',
      anonymously(on('deleteUnusedImages')),
      applyBeforeAuth,
    ],
    '500': [
      'Returns 500 for a new connection without a credential',
      anonymously(on('createIntegrationConnection')),
      respond(500),
    ],
    version: [
      'Deletes a template version without a credential',
      anonymously(on('deleteVolumeTemplateVersion')),
      bypassAuth,
    ],
  },
  'auth.data-plane.credential-required': {
    '': ['Queries a model without a credential', anonymously(on('queryModel')), bypassAuth],
    thread: ['Continues a thread of an agent without a credential', anonymously(agent, inThread), bypassAuth],
    mk3: ['Queries the configured mk3 agent without a credential', anonymously(agent, configuredMk3), bypassAuth],
    watch: ['Watches a directory without a credential', anonymously(on('watchDirectory')), bypassAuth],
    tools: [
      'Lists the tools of a function without a credential',
      anonymously(on('postFunctionMcp'), statusIs(401)),
      afterResponse('bypass auth', async (ctx, app) => {
        const sent = (await sentBody(ctx)) as { readonly method?: unknown } | undefined;
        if (sent?.method === 'tools/list') await runAsAdmin(app, ctx);
      }),
    ],
    listen: ['Opens the MCP stream of a function without a credential', anonymously(on('getFunctionMcp')), bypassAuth],
    'session-end-too-late': [
      'Ends an MCP session of a sandbox before it requires a credential',
      anonymously(on('deleteSandboxMcp')),
      applyBeforeAuth,
    ],
    'write-too-late': ['Writes files before it checks the token', all(on('writeTree'), inBrandHeader), applyBeforeAuth],
    'execution-too-late': [
      'Executes a job before it requires a credential',
      anonymously(on('createJobExecution')),
      applyBeforeAuth,
    ],
    unsigned: ['Does not verify JWTs for agent queries', all(agent, unverified), bypassAuth],
    'any-token': [
      'Accepts any token in Authorization for chat completions',
      all(on('createChatCompletion'), inAuthorization),
      bypassAuth,
    ],
    kept: ['Returns a cached directory without a credential', on('readTree'), respondFromCache],
    '500': ['Returns 500 for an agent query without a credential', anonymously(agent, statusIs(401)), respond(500)],
  },
});
