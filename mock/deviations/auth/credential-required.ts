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
    '': lets('tells the groupBy values without a credential', all(at('listMetricsGroupBy'), isAnonymous)),
    'later-pages': lets(
      'tells every page of metrics but the first without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('cursor')),
    ),
    'one-type': lets(
      'tells the metrics of one resource type without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('resourceType')),
    ),
    resolution: lets(
      'tells the metrics of a resolution that is named without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('resolution')),
    ),
    'one-workspace': lets(
      'tells the metrics of one workspace without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('workspace')),
    ),
    'one-instance': lets(
      'tells the metrics of one instance without a credential',
      all(at('getAccountMetrics'), isAnonymous, names('resourceUuid')),
    ),
    'in-the-body': tells('refuses metrics with the metrics in the body', ['getAccountMetrics']),
    kept: keepsOpen('tells anybody the resource types that somebody has asked for', ['listMetricsResourceTypes']),
    unsigned: lets(
      'does not ask who signed a JWT where metrics are asked for',
      all(at('getAccountMetrics'), isUnknown, isInThreeParts),
    ),
    'any-token': lets(
      'takes any token in the brand header where metrics are asked for',
      all(at('getAccountMetrics'), comesBy('brand'), isUnknown),
    ),
    '500': answersStatus(
      'answers 500 where resource types are asked for without a credential',
      500,
      all(at('listMetricsResourceTypes'), isAnonymous),
    ),
  },

  'auth.management.credential-required': {
    '': lets('tells integration info without a credential', all(at('getIntegration'), isAnonymous)),
    unsigned: lets(
      'does not ask who signed a JWT where accounts are listed',
      all(at('listAccounts'), isUnknown, isInThreeParts),
    ),
    'any-token': lets(
      'takes any token in the brand header where accounts are listed',
      all(at('listAccounts'), comesBy('brand'), isUnknown),
    ),
    kept: keepsOpen('lists accounts for anybody once somebody has', ['listAccounts']),
    'no-workspace': lets(
      'lets anybody create a function who names no workspace',
      (ctx) => isFor(ctx, ['createFunction']) && isAnonymous(ctx) && ctx.get(ctx.state.world.headers.workspace) === '',
    ),
    'create-too-late': tooLate('creates a VPC before it asks for a credential', all(at('createVpc'), isAnonymous)),
    'function-too-late': tooLate(
      'creates a function before it looks at the token',
      all(at('createFunction'), comesBy('standard'), isUnknown),
    ),
    'deletion-too-late': tooLate(
      'deletes a preview token before it asks for a credential',
      all(at('deleteSandboxPreviewToken'), isAnonymous),
    ),
    'images-too-late': tooLate(
      'cleans up images before it asks for a credential',
      all(at('deleteUnusedImages'), isAnonymous),
    ),
    '500': answersStatus(
      'answers 500 where a connection is created without a credential',
      500,
      all(at('createIntegrationConnection'), isAnonymous),
    ),
    version: lets(
      'deletes a template version without a credential',
      all(at('deleteVolumeTemplateVersion'), isAnonymous),
    ),
  },

  'auth.data-plane.credential-required': {
    '': lets('asks a model without a credential', all(at('queryModel'), isAnonymous)),
    thread: lets(
      'lets anybody go on with a thread of an agent',
      (ctx) => isFor(ctx, ['queryAgent']) && isAnonymous(ctx) && ctx.get(ctx.state.world.headers.threadId) !== '',
    ),
    mk3: lets('lets anybody ask the named agent of generation mk3', all(at('queryAgent'), isAnonymous, asksNamedMk3)),
    watch: lets('lets anybody watch a directory', all(at('watchDirectory'), isAnonymous)),
    listen: lets('lets anybody listen to an MCP session of a function', all(at('getFunctionMcp'), isAnonymous)),
    'session-end-too-late': tooLate(
      'ends an MCP session of a sandbox before it asks for a credential',
      all(at('deleteSandboxMcp'), isAnonymous),
    ),
    'write-too-late': tooLate(
      'writes files before it looks at the token',
      all(at('writeTree'), isUnknown, comesBy('brand')),
    ),
    'execution-too-late': tooLate(
      'executes a job before it asks for a credential',
      all(at('createJobExecution'), isAnonymous),
    ),
    unsigned: lets(
      'does not ask who signed a JWT where an agent is asked',
      all(at('queryAgent'), isUnknown, isInThreeParts),
    ),
    'any-token': lets(
      'takes any token in Authorization at chat completions',
      all(at('createChatCompletion'), comesBy('standard'), isUnknown),
    ),
    kept: keepsOpen('reads a directory to anybody once somebody has read it', ['readTree']),
    '500': answersStatus(
      'answers 500 where an agent is asked without a credential',
      500,
      all(at('queryAgent'), isAnonymous, isStatus(401)),
    ),
  },
});
