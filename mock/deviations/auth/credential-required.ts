/** Faults in keeping out who has no credential, or one that nobody has issued. */
import { deviationsOf } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import type { OperationId } from '../../../spec/generated/types.ts';
import { answersFromCache } from '../cache.ts';
import { isFor, type App, type Deviation, type Deviations } from '../deviation.ts';
import {
  all,
  answersStatus,
  askedAsAdmin,
  at,
  comesBy,
  isAnonymous,
  isStatus,
  isUnknown,
  lets,
  tokenOf,
  tooLate,
} from './faults.ts';

/** Gives the answer that somebody got to whoever asks the same after it. */
const keepsOpen = (what: string, ids: readonly OperationId[]): Deviation =>
  answersFromCache(
    what,
    (ctx) => isFor(ctx, ids),
    ({ status }) => status === 401,
  );

/** Refuses with what it should not tell. */
function tells(what: string, ids: readonly OperationId[]): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const refusal = ctx.state.reply;
      if (refusal?.status !== 401 || !isFor(ctx, ids)) return;
      await askedAsAdmin(app, ctx);
      ctx.state.reply = { ...refusal, body: ctx.state.reply?.body };
    };
  return { what, wrap };
}

const names =
  (parameter: string) =>
  (ctx: Context): boolean =>
    new URLSearchParams(ctx.querystring).has(parameter);

const isInThreeParts = (ctx: Context): boolean => tokenOf(ctx)?.split('.').length === 3;

const asksNamedMk3 = ({ path, state: { world } }: Context): boolean =>
  path.endsWith(`/${world.target.resources?.mk3Agent}`);

export const credentialRequiredDeviations: Deviations = deviationsOf({
  'auth.metrics.bearer-required': {
    '': lets('Returns the groupBy values without a credential', all(at('listMetricsGroupBy'), isAnonymous)),
    'later-pages': lets(
      'Returns later pages of metrics without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('cursor')),
    ),
    'one-type': lets(
      'Returns the metrics of one resource type without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('resourceType')),
    ),
    resolution: lets(
      'Returns the metrics of a requested resolution without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('resolution')),
    ),
    'one-workspace': lets(
      'Returns the metrics of one workspace without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('workspace')),
    ),
    'one-instance': lets(
      'Returns the metrics of one instance without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('resourceUuid')),
    ),
    'in-the-body': tells('Returns the metrics in the body of a 401', ['getAccountMetrics']),
    kept: keepsOpen('Returns cached resource types without a credential', ['listMetricsResourceTypes']),
    unsigned: lets('Does not verify JWTs for metrics', all(at('getAccountMetrics'), isUnknown, isInThreeParts)),
    'any-token': lets(
      'Accepts any token in the brand header for metrics',
      all(at('getAccountMetrics'), comesBy('brand'), isUnknown),
    ),
    '500': answersStatus(
      'Returns 500 for resource types without a credential',
      500,
      all(at('listMetricsResourceTypes'), isAnonymous),
    ),
  },

  'auth.management.credential-required': {
    '': lets('Returns integration info without a credential', all(at('getIntegration'), isAnonymous)),
    unsigned: lets('Does not verify JWTs for the list of accounts', all(at('listAccounts'), isUnknown, isInThreeParts)),
    'any-token': lets(
      'Accepts any token in the brand header for the list of accounts',
      all(at('listAccounts'), comesBy('brand'), isUnknown),
    ),
    kept: keepsOpen('Returns a cached list of accounts without a credential', ['listAccounts']),
    'no-workspace': lets(
      'Creates a function without a credential if no workspace is named',
      (ctx) => isFor(ctx, ['createFunction']) && isAnonymous(ctx) && ctx.get(ctx.state.world.headers.workspace) === '',
    ),
    'create-too-late': tooLate('Creates a VPC before it requires a credential', all(at('createVpc'), isAnonymous)),
    'function-too-late': tooLate(
      'Creates a function before it checks the token',
      all(at('createFunction'), comesBy('standard'), isUnknown),
    ),
    'deletion-too-late': tooLate(
      'Deletes a preview token before it requires a credential',
      all(at('deleteSandboxPreviewToken'), isAnonymous),
    ),
    'images-too-late': tooLate(
      'Deletes unused images before it requires a credential',
      all(at('deleteUnusedImages'), isAnonymous),
    ),
    '500': answersStatus(
      'Returns 500 for a new connection without a credential',
      500,
      all(at('createIntegrationConnection'), isAnonymous),
    ),
    version: lets(
      'Deletes a template version without a credential',
      all(at('deleteVolumeTemplateVersion'), isAnonymous),
    ),
  },

  'auth.data-plane.credential-required': {
    '': lets('Queries a model without a credential', all(at('queryModel'), isAnonymous)),
    thread: lets(
      'Continues a thread of an agent without a credential',
      (ctx) => isFor(ctx, ['queryAgent']) && isAnonymous(ctx) && ctx.get(ctx.state.world.headers.threadId) !== '',
    ),
    mk3: lets(
      'Queries the configured mk3 agent without a credential',
      all(at('queryAgent'), isAnonymous, asksNamedMk3),
    ),
    watch: lets('Watches a directory without a credential', all(at('watchDirectory'), isAnonymous)),
    listen: lets('Opens the MCP stream of a function without a credential', all(at('getFunctionMcp'), isAnonymous)),
    'session-end-too-late': tooLate(
      'Ends an MCP session of a sandbox before it requires a credential',
      all(at('deleteSandboxMcp'), isAnonymous),
    ),
    'write-too-late': tooLate(
      'Writes files before it checks the token',
      all(at('writeTree'), isUnknown, comesBy('brand')),
    ),
    'execution-too-late': tooLate(
      'Executes a job before it requires a credential',
      all(at('createJobExecution'), isAnonymous),
    ),
    unsigned: lets('Does not verify JWTs for agent queries', all(at('queryAgent'), isUnknown, isInThreeParts)),
    'any-token': lets(
      'Accepts any token in Authorization for chat completions',
      all(at('createChatCompletion'), comesBy('standard'), isUnknown),
    ),
    kept: keepsOpen('Returns a cached directory without a credential', ['readTree']),
    '500': answersStatus(
      'Returns 500 for an agent query without a credential',
      500,
      all(at('queryAgent'), isAnonymous, isStatus(401)),
    ),
  },
});
