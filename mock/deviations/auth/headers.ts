/** Deviations of the headers that carry a credential, and of the kinds of credentials. */
import type { Table } from '../table.ts';
import { operations } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { bodyOf } from '../../wrap/wrapping.ts';
import { all, when, type Condition, on } from '../conditions.ts';
import { byApiKey, byJwt, headerName, inHeader, statusIs, tokenOf } from './conditions.ts';
import { afterResponse, bypassAuth, changeHeaders, deny, respond } from './effects.ts';

const operationsOf = (api: string) => operations.filter(({ surface }) => surface === api).map(({ id }) => id);
const deletions = operations.filter(({ method }) => method === 'DELETE').map(({ id }) => id);
const authorization = inHeader('standard');
const brand = inHeader('brand');
const update = on('updateAgent');

/** The header name as the client wrote it. */
const written = (name: string, spelling: (ctx: Context) => string): Condition =>
  when(name, (ctx) => ctx.req.rawHeaders.includes(spelling(ctx)));

export const headersDeviations: Table = {
  'auth.headers.authorization-accepted-on-every-api': {
    'refuses Authorization for multipart uploads with 401': [all(on('listMultipartUploads'), authorization), deny(401)],
    'denies API keys the sandbox API': [all(on(...operationsOf('sandbox')), byApiKey), deny(403)],
    'denies API keys the inference API': [all(on(...operationsOf('inference')), byApiKey), deny(403)],
    'returns 500 if an API key queries an agent': [all(on('queryAgent'), byApiKey, statusIs(200)), respond(500)],
    'returns 500 if an API key creates a function': [all(on('createFunction'), byApiKey, statusIs(200)), respond(500)],
    'refuses API keys in Authorization for a watch with 401': [
      all(on('watchDirectory'), authorization, byApiKey),
      deny(401),
    ],
    'denies job executions with Authorization': [all(on('createJobExecution'), authorization), deny(403)],
    'refuses Authorization for a new connection with 401': [
      all(on('createIntegrationConnection'), authorization),
      deny(401),
    ],
    'refuses Authorization for the end of a sandbox MCP session with 401': [
      all(on('deleteSandboxMcp'), authorization),
      deny(401),
    ],
    'refuses AUTHORIZATION in capitals': [
      all(
        authorization,
        written('AUTHORIZATION in capitals', () => 'AUTHORIZATION'),
      ),
      deny(401),
    ],
  },
  'auth.headers.brand-authorization-accepted-on-every-api': {
    'refuses the brand header for chat completions': [all(on('createChatCompletion'), brand), deny(401)],
    'refuses JWTs in the brand header for agent updates': [all(update, brand, byJwt), deny(401)],
    'ignores the brand header of a DELETE': [
      on(...deletions),
      changeHeaders((ctx) => ({ [headerName(ctx, 'brand')]: undefined })),
    ],
    'denies API keys in the brand header the creation of VPCs': [all(on('createVpc'), brand, byApiKey), deny(403)],
    'treats account admins as members for metrics by brand header': [
      all(on('getAccountMetrics'), brand),
      changeHeaders((ctx) => {
        const token = ctx.state.world.namedCredentials.find(({ name }) => name === 'member')?.token;
        return { [headerName(ctx, 'brand')]: `Bearer ${token}` };
      }),
    ],
    'does not check scopes for the list of accounts by brand header': [all(on('listAccounts'), brand), bypassAuth],
    'returns the previous displayName after an agent update by brand header': [
      all(update, brand, statusIs(200)),
      afterResponse('change response', (ctx) => {
        const { metadata, ...rest } = bodyOf(ctx) as { metadata: object };
        const body = { ...rest, metadata: { ...metadata, displayName: 'As before' } };
        ctx.state.reply = { ...ctx.state.reply!, body };
      }),
    ],
    'refuses the brand header in lower case': [
      all(
        brand,
        written('brand header in lower case', (ctx) => headerName(ctx, 'brand')),
      ),
      deny(401),
    ],
    'denies tree writes by brand header': [all(on('writeTree'), brand), deny(403)],
    'refuses the brand header for job executions': [all(on('createJobExecution'), brand), deny(401)],
  },
  'auth.schemes.jwt-and-api-key-accepted': {
    'refuses API keys for the list of resource types': [all(on('listMetricsResourceTypes'), byApiKey), deny(401)],
    'refuses API keys for agent updates': [all(update, byApiKey), deny(401)],
    'refuses JWTs for new functions': [all(on('createFunction'), byJwt), deny(401)],
    'denies JWTs integration info': [all(on('getIntegration'), byJwt), deny(403)],
    'refuses API keys for the deletion of a template version': [
      all(on('deleteVolumeTemplateVersion'), byApiKey),
      changeHeaders((ctx) => ({ authorization: `Bearer not-${tokenOf(ctx)}` })),
    ],
  },
};
