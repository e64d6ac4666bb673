/** Deviations of the headers that carry a credential, and of the kinds of credentials. */
import { across, type Table } from '../table.ts';
import { operations } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import { all, when, type Condition, on, onSurface } from '../conditions.ts';
import { returns } from '../deviation.ts';
import { byApiKey, byJwt, headerName, inHeader, ofModernMcp, statusIs, tokenOf } from './conditions.ts';
import { bypassAuth, changeHeaders, deny, respond } from './effects.ts';

const deletions = operations.filter(({ method }) => method === 'DELETE').map(({ id }) => id);
const authorization = inHeader('standard');
const brand = inHeader('brand');
const update = on('updateAgent');

/** The header name as the client wrote it. */
const written = (name: string, spelling: (ctx: Context) => string): Condition =>
  when(name, (ctx) => ctx.req.rawHeaders.includes(spelling(ctx)));

export const headersDeviations: Table = {
  'auth.headers.authorization-accepted-on-every-api': {
    ...across(
      [
        on('listMultipartUploads'),
        all(on('watchDirectory'), byApiKey),
        on('createIntegrationConnection'),
        on('deleteSandboxMcp'),
        written('in capitals', () => 'AUTHORIZATION'),
      ],
      { 'refuses Authorization with 401': [authorization, deny(401)] },
    ),
    ...across([onSurface('sandbox'), onSurface('inference')], { 'refuses API keys with 401': [byApiKey, deny(401)] }),
    ...across([on('queryAgent'), on('createFunction')], {
      'returns 500 to API keys': [all(byApiKey, statusIs(200)), respond(500)],
    }),
    'denies job executions with Authorization': [all(on('createJobExecution'), authorization), deny(403)],
  },
  'auth.headers.brand-authorization-accepted-on-every-api': {
    ...across(
      [
        on('createChatCompletion'),
        all(update, byJwt),
        written('in lower case', (ctx) => headerName(ctx, 'brand')),
        on('createJobExecution'),
        all(on('postFunctionMcp'), ofModernMcp),
      ],
      { 'refuses the brand header with 401': [brand, deny(401)] },
    ),
    ...across([on('writeTree'), all(on('createVpc'), byApiKey)], {
      'denies callers by brand header': [brand, deny(403)],
    }),
    'ignores the brand header of a DELETE': [
      on(...deletions),
      changeHeaders((ctx) => ({ [headerName(ctx, 'brand')]: undefined })),
    ],
    'treats account admins as members for metrics by brand header': [
      all(on('getAccountMetrics'), brand),
      changeHeaders((ctx) => {
        const token = ctx.state.world.namedCredentials.find(({ name }) => name === 'member')?.token;
        return { [headerName(ctx, 'brand')]: `Bearer ${token}` };
      }),
    ],
    'does not check scopes for the list of accounts by brand header': [all(on('listAccounts'), brand), bypassAuth],
    'returns the previous displayName after an agent update by brand header': [
      brand,
      returns('updateAgent', 'metadata.displayName', () => 'As before'),
    ],
  },
  'auth.schemes.jwt-and-api-key-accepted': {
    ...across([on('listMetricsResourceTypes'), update], { 'refuses API keys': [byApiKey, deny(401)] }),
    'refuses JWTs for new functions': [all(on('createFunction'), byJwt), deny(401)],
    'denies JWTs integration info': [all(on('getIntegration'), byJwt), deny(403)],
    'refuses API keys for the deletion of a template version': [
      all(on('deleteVolumeTemplateVersion'), byApiKey),
      changeHeaders((ctx) => ({ authorization: `Bearer not-${tokenOf(ctx)}` })),
    ],
  },
};
