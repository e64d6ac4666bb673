/** Deviations of what a scope permits. */
import type { Effect } from '../deviation.ts';
import type { Table } from '../table.ts';
import type { Context } from '../../pipeline/context.ts';
import { sentBody } from '../../wrap/wrapping.ts';
import { storesAndReturns } from '../agents/agent-updates.ts';
import { all, not, type Condition, on } from '../conditions.ts';
import { byJwt, hasScope, inHeader, namesVersion, ofMk3Agent, statusIs } from './conditions.ts';
import { afterResponse, applyBeforeAuth, bypassAuth, deny, respond, stored } from './effects.ts';

const update = on('updateAgent');
const hasOnly = (scope: string): Condition => all(byJwt, hasScope(scope), not(hasScope('admin')));
const withUpdateScope = hasOnly('agents:update');
const withOtherScope = hasOnly('mcphub:list');
const admin = all(byJwt, hasScope('admin'));
const refusedUpdate = all(update, withOtherScope);
const brand = inHeader('brand');

/** Refuses an accepted update whose spec or runtime has this member. */
const denyMember = (member: string): Effect =>
  afterResponse('refuse', async (ctx) => {
    if (!(await changes(ctx, member))) return;
    ctx.state.reply = { status: 403, body: { error: 'forbidden', code: 403, message: 'The scope is not enough.' } };
  });

async function changes(ctx: Context, member: string): Promise<boolean> {
  const { spec } = ((await sentBody(ctx)) ?? {}) as { spec?: { runtime?: object } };
  return spec !== undefined && (member in spec || member in (spec.runtime ?? {}));
}

export const scopesDeviations: Table = {
  'auth.scopes.update-agent-accepts-agents-update': {
    'requires admin for agent updates': [all(update, withUpdateScope), deny(403)],
    'requires admin for updates with environment variables': [
      all(update, withUpdateScope, statusIs(200)),
      denyMember('envs'),
    ],
    'requires admin for updates by brand header': [all(update, withUpdateScope, brand), deny(401)],
    'does not change an agent if an update has only agents:update': storesAndReturns((after, before, _, ctx) =>
      withUpdateScope.holds(ctx) && before !== undefined
        ? { ...after, metadata: before.metadata, spec: before.spec }
        : after,
    ),
    'returns 400 for an update with only agents:update': [all(update, withUpdateScope, statusIs(200)), respond(400)],
  },
  'auth.scopes.update-agent-accepts-admin': {
    'denies scope admin agent updates': [all(update, admin), deny(403)],
    'returns 401 for an agent update with scope admin': [all(update, admin), respond(401)],
    "denies scope admin changes of an agent's policies": [all(update, admin, statusIs(200)), denyMember('policies')],
    'denies scope admin agent updates by brand header': [all(update, admin, brand), deny(403)],
  },
  'auth.scopes.update-agent-refuses-others-403': {
    'accepts an agent update with any valid JWT': [refusedUpdate, bypassAuth],
    'accepts any scope of agents as agents:update': [all(update, hasOnly('agents:get')), bypassAuth],
    'does not check scopes for updates by brand header': [all(refusedUpdate, brand), bypassAuth],
    'does not check scopes for updates that name a version': [all(refusedUpdate, namesVersion), bypassAuth],
    'does not check scopes for updates of mk3 agents': [all(refusedUpdate, ofMk3Agent), bypassAuth],
    'returns 401 for an agent update without the scope': [all(refusedUpdate, statusIs(403)), respond(401)],
    'omits error from the refusal of an update without the scope': [
      all(refusedUpdate, statusIs(403)),
      respond(403, { message: 'Forbidden' }),
    ],
    ...stored(refusedUpdate, 403),
    'updates an agent before it checks the scopes': [refusedUpdate, applyBeforeAuth],
  },
  'auth.scopes.admin-is-the-default': {
    'lists accounts for any valid JWT': [all(on('listAccounts'), withOtherScope), bypassAuth],
    'lists accounts for any valid JWT if the request names a version': [
      all(on('listAccounts'), withOtherScope, namesVersion),
      bypassAuth,
    ],
    'accepts agents:update for new functions': [all(on('createFunction'), withUpdateScope), bypassAuth],
    'returns integration info to any valid JWT in the brand header': [
      all(on('getIntegration'), withOtherScope, brand),
      bypassAuth,
    ],
    'creates a VPC before it checks the scopes': [all(on('createVpc'), withOtherScope), applyBeforeAuth],
    'deletes a template version before it checks the scopes': [
      all(on('deleteVolumeTemplateVersion'), withOtherScope),
      applyBeforeAuth,
    ],
    'deletes unused images for any valid JWT': [all(on('deleteUnusedImages'), withOtherScope), bypassAuth],
    'returns 500 for a new connection without the scope': [
      all(on('createIntegrationConnection'), withOtherScope),
      respond(500),
    ],
  },
};
