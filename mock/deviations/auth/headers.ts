/** Faults in which header carries a credential, and which kind of credential, where. */
import { deviationsOf } from '../table.ts';
import { operations } from '../../../spec/operations.ts';
import { bodyOf, type App, type Deviation, type Deviations } from '../deviation.ts';
import type { Context } from '../../pipeline/context.ts';
import {
  all,
  answersStatus,
  askedAsAdmin,
  at,
  comesBy,
  isApiKey,
  isJwt,
  isStatus,
  keepsOut,
  tokenOf,
  type Concerns,
} from './faults.ts';
import { askedWithHeaders } from '../../wrap/wrapping.ts';

const operationsOf = (api: string) => operations.filter(({ surface }) => surface === api).map(({ id }) => id);
const deletions = operations.filter(({ method }) => method === 'DELETE').map(({ id }) => id);

/** As the client wrote it. */
const isWritten =
  (name: string): Concerns =>
  (ctx) =>
    ctx.req.rawHeaders.includes(name);

const brandName = (ctx: Context): string => ctx.state.world.headers.authorization;

/** Answers as if somebody with other roles had sent the brand header. */
function asOther(what: string, other: string, concerns: Concerns): Deviation {
  const wrap =
    (app: App): App =>
    (ctx) => {
      const token = ctx.state.world.namedCredentials.find(({ name }) => name === other)?.token;
      if (!comesBy('brand')(ctx) || !concerns(ctx)) return app(ctx);
      return askedWithHeaders(app, ctx, { [brandName(ctx).toLowerCase()]: `Bearer ${token}` });
    };
  return { what, wrap };
}

/** An update that is answered as if it had been made. */
function withoutEffect(what: string, concerns: Concerns): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      if (ctx.state.reply?.status !== 200 || !concerns(ctx)) return;
      const { metadata, ...rest } = bodyOf(ctx) as { metadata: object };
      ctx.state.reply = { ...ctx.state.reply, body: { ...rest, metadata: { ...metadata, displayName: 'As before' } } };
    };
  return { what, wrap };
}

export const headersDeviations: Deviations = deviationsOf({
  'auth.headers.authorization-accepted-on-every-api': {
    '': keepsOut(
      'Refuses Authorization for multipart uploads with 401',
      401,
      all(at('listMultipartUploads'), comesBy('standard')),
    ),
    'keys-at-sandboxes': keepsOut(
      'Denies API keys the sandbox API',
      403,
      all(at(...operationsOf('sandbox')), isApiKey),
    ),
    'keys-at-inference': keepsOut(
      'Denies API keys the inference API',
      403,
      all(at(...operationsOf('inference')), isApiKey),
    ),
    'keys-fail-at-inference': answersStatus(
      'Returns 500 if an API key queries an agent',
      500,
      all(at('queryAgent'), isApiKey, isStatus(200)),
    ),
    'keys-fail-at-creates': answersStatus(
      'Returns 500 if an API key creates a function',
      500,
      all(at('createFunction'), isApiKey, isStatus(200)),
    ),
    watch: keepsOut(
      'Refuses API keys in Authorization for a watch with 401',
      401,
      all(at('watchDirectory'), comesBy('standard'), isApiKey),
    ),
    jobs: keepsOut('Denies job executions with Authorization', 403, all(at('createJobExecution'), comesBy('standard'))),
    connections: keepsOut(
      'Refuses Authorization for a new connection with 401',
      401,
      all(at('createIntegrationConnection'), comesBy('standard')),
    ),
    'session-end': keepsOut(
      'Refuses Authorization for the end of a sandbox MCP session with 401',
      401,
      all(at('deleteSandboxMcp'), comesBy('standard')),
    ),
    capitals: keepsOut('Refuses AUTHORIZATION in capitals', 401, all(comesBy('standard'), isWritten('AUTHORIZATION'))),
  },

  'auth.headers.brand-authorization-accepted-on-every-api': {
    '': keepsOut(
      'Refuses the brand header for chat completions',
      401,
      all(at('createChatCompletion'), comesBy('brand')),
    ),
    jwt: keepsOut(
      'Refuses JWTs in the brand header for agent updates',
      401,
      all(at('updateAgent'), comesBy('brand'), isJwt),
    ),
    deletions: {
      what: 'Ignores the brand header of a DELETE',
      wrap: (app) => (ctx) =>
        at(...deletions)(ctx) ? askedWithHeaders(app, ctx, { [brandName(ctx).toLowerCase()]: undefined }) : app(ctx),
    },
    'create-with-key': keepsOut(
      'Denies API keys in the brand header the creation of VPCs',
      403,
      all(at('createVpc'), comesBy('brand'), isApiKey),
    ),
    role: asOther('Treats account admins as members for metrics by brand header', 'member', at('getAccountMetrics')),
    scopes: {
      what: 'Does not check scopes for the list of accounts by brand header',
      wrap: (app) => (ctx) => (all(at('listAccounts'), comesBy('brand'))(ctx) ? askedAsAdmin(app, ctx) : app(ctx)),
    },
    'no-effect': withoutEffect(
      'Returns the previous displayName after an agent update by brand header',
      all(at('updateAgent'), comesBy('brand')),
    ),
    'lower-case': keepsOut(
      'Refuses the brand header in lower case',
      401,
      (ctx) => comesBy('brand')(ctx) && isWritten(brandName(ctx).toLowerCase())(ctx),
    ),
    tree: keepsOut('Denies tree writes by brand header', 403, all(at('writeTree'), comesBy('brand'))),
  },

  'auth.schemes.jwt-and-api-key-accepted': {
    '': keepsOut('Refuses API keys for the list of resource types', 401, all(at('listMetricsResourceTypes'), isApiKey)),
    update: keepsOut('Refuses API keys for agent updates', 401, all(at('updateAgent'), isApiKey)),
    create: keepsOut('Refuses JWTs for new functions', 401, all(at('createFunction'), isJwt)),
    forbidden: keepsOut('Denies JWTs integration info', 403, all(at('getIntegration'), isJwt)),
    deletion: {
      what: 'Refuses API keys for the deletion of a template version',
      wrap: (app) => (ctx) =>
        all(at('deleteVolumeTemplateVersion'), isApiKey)(ctx)
          ? askedWithHeaders(app, ctx, { authorization: `Bearer not-${tokenOf(ctx)}` })
          : app(ctx),
    },
  },
});
