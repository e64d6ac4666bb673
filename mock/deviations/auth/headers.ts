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
      'knows no Authorization where multipart uploads are listed',
      401,
      all(at('listMultipartUploads'), comesBy('standard')),
    ),
    'keys-at-sandboxes': keepsOut(
      'has no leave for API keys at all of the sandbox API',
      403,
      all(at(...operationsOf('sandbox')), isApiKey),
    ),
    'keys-at-inference': keepsOut(
      'has no leave for API keys at all of the inference API',
      403,
      all(at(...operationsOf('inference')), isApiKey),
    ),
    'keys-fail-at-inference': answersStatus(
      'fails where an API key asks an agent',
      500,
      all(at('queryAgent'), isApiKey, isStatus(200)),
    ),
    'keys-fail-at-creates': answersStatus(
      'fails where an API key creates a function',
      500,
      all(at('createFunction'), isApiKey, isStatus(200)),
    ),
    watch: keepsOut(
      'knows no API key in Authorization at a watch',
      401,
      all(at('watchDirectory'), comesBy('standard'), isApiKey),
    ),
    jobs: keepsOut(
      'forbids job executions to whoever comes with Authorization',
      403,
      all(at('createJobExecution'), comesBy('standard')),
    ),
    connections: keepsOut(
      'knows no Authorization where a connection is created',
      401,
      all(at('createIntegrationConnection'), comesBy('standard')),
    ),
    'session-end': keepsOut(
      'knows no Authorization where an MCP session of a sandbox ends',
      401,
      all(at('deleteSandboxMcp'), comesBy('standard')),
    ),
    capitals: keepsOut('knows no AUTHORIZATION', 401, all(comesBy('standard'), isWritten('AUTHORIZATION'))),
  },

  'auth.headers.brand-authorization-accepted-on-every-api': {
    '': keepsOut('knows no brand header at chat completions', 401, all(at('createChatCompletion'), comesBy('brand'))),
    jwt: keepsOut(
      'knows no JWT in the brand header of agent update',
      401,
      all(at('updateAgent'), comesBy('brand'), isJwt),
    ),
    deletions: {
      what: 'knows no brand header at a DELETE',
      wrap: (app) => (ctx) =>
        at(...deletions)(ctx) ? askedWithHeaders(app, ctx, { [brandName(ctx).toLowerCase()]: undefined }) : app(ctx),
    },
    'create-with-key': keepsOut(
      'forbids API keys in the brand header to create VPCs',
      403,
      all(at('createVpc'), comesBy('brand'), isApiKey),
    ),
    role: asOther(
      'forgets who is account admin where metrics are asked for by the brand header',
      'member',
      at('getAccountMetrics'),
    ),
    scopes: {
      what: 'looks at no scopes where accounts are listed by the brand header',
      wrap: (app) => (ctx) => (all(at('listAccounts'), comesBy('brand'))(ctx) ? askedAsAdmin(app, ctx) : app(ctx)),
    },
    'no-effect': withoutEffect(
      'answers an agent update by the brand header with the displayName from before',
      all(at('updateAgent'), comesBy('brand')),
    ),
    'lower-case': keepsOut(
      'knows no brand header in lower case',
      401,
      (ctx) => comesBy('brand')(ctx) && isWritten(brandName(ctx).toLowerCase())(ctx),
    ),
    tree: keepsOut('forbids tree writes by the brand header', 403, all(at('writeTree'), comesBy('brand'))),
  },

  'auth.schemes.jwt-and-api-key-accepted': {
    '': keepsOut(
      'knows no API key where resource types are listed',
      401,
      all(at('listMetricsResourceTypes'), isApiKey),
    ),
    update: keepsOut('knows no API key at agent update', 401, all(at('updateAgent'), isApiKey)),
    create: keepsOut('knows no JWT where a function is created', 401, all(at('createFunction'), isJwt)),
    forbidden: keepsOut('forbids integration info to JWTs', 403, all(at('getIntegration'), isJwt)),
    deletion: {
      what: 'knows no API key where a template version is deleted',
      wrap: (app) => (ctx) =>
        all(at('deleteVolumeTemplateVersion'), isApiKey)(ctx)
          ? askedWithHeaders(app, ctx, { authorization: `Bearer not-${tokenOf(ctx)}` })
          : app(ctx),
    },
  },
});
