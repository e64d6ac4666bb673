/** Deviations of what a scope permits. */
import type { Context } from '../../pipeline/context.ts';
import { sentBody } from '../../wrap/wrapping.ts';
import { storesAndReturns } from '../agents/agent-updates.ts';
import { all, not, type Condition, on } from '../conditions.ts';
import { deviationsOf, type Effect } from '../table.ts';
import { byJwt, hasScope, inHeader, ofMk3Agent, statusIs } from './conditions.ts';
import { afterResponse, applyBeforeAuth, bypassAuth, deny, respond, storeRefused, withMembers } from './effects.ts';

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

export const scopesDeviations = deviationsOf({
  'auth.scopes.update-agent-accepts-agents-update': {
    '': ['Requires admin for agent updates', all(update, withUpdateScope), deny(403)],
    envs: [
      'Requires admin for updates with environment variables',
      all(update, withUpdateScope, statusIs(200)),
      denyMember('envs'),
    ],
    brand: ['Requires admin for updates by brand header', all(update, withUpdateScope, brand), deny(401)],
    kept: storesAndReturns('Does not change an agent if an update has only agents:update', (after, before, _, ctx) =>
      withUpdateScope.holds(ctx) && before !== undefined
        ? { ...after, metadata: before.metadata, spec: before.spec }
        : after,
    ),
    '400': [
      'Returns 400 for an update with only agents:update',
      all(update, withUpdateScope, statusIs(200)),
      respond(400),
    ],
  },
  'auth.scopes.update-agent-accepts-admin': {
    '': ['Denies scope admin agent updates', all(update, admin), deny(403)],
    '401': ['Returns 401 for an agent update with scope admin', all(update, admin), respond(401)],
    policies: [
      "Denies scope admin changes of an agent's policies",
      all(update, admin, statusIs(200)),
      denyMember('policies'),
    ],
    brand: ['Denies scope admin agent updates by brand header', all(update, admin, brand), deny(403)],
  },
  'auth.scopes.update-agent-refuses-others-403': {
    '': ['Accepts an agent update with any valid JWT', refusedUpdate, bypassAuth],
    agents: ['Accepts any scope of agents as agents:update', all(update, hasOnly('agents:get')), bypassAuth],
    brand: ['Does not check scopes for updates by brand header', all(refusedUpdate, brand), bypassAuth],
    mk3: ['Does not check scopes for updates of mk3 agents', all(refusedUpdate, ofMk3Agent), bypassAuth],
    '401': ['Returns 401 for an agent update without the scope', all(refusedUpdate, statusIs(403)), respond(401)],
    body: [
      'Omits error from the refusal of an update without the scope',
      all(refusedUpdate, statusIs(403)),
      respond(403, { message: 'Forbidden' }),
    ],
    triggers: [
      'Sets the triggers of an update without the scope but refuses it',
      refusedUpdate,
      storeRefused(403, withMembers('triggers')),
    ],
    enabled: [
      'Disables an agent by an update without the scope but refuses it',
      refusedUpdate,
      storeRefused(403, withMembers('enabled')),
    ],
    variables: [
      'Sets the environment variables of an update without the scope but refuses it',
      refusedUpdate,
      storeRefused(403),
    ],
    'too-late': ['Updates an agent before it checks the scopes', refusedUpdate, applyBeforeAuth],
  },
  'auth.scopes.admin-is-the-default': {
    '': ['Lists accounts for any valid JWT', all(on('listAccounts'), withOtherScope), bypassAuth],
    agents: ['Accepts agents:update for new functions', all(on('createFunction'), withUpdateScope), bypassAuth],
    brand: [
      'Returns integration info to any valid JWT in the brand header',
      all(on('getIntegration'), withOtherScope, brand),
      bypassAuth,
    ],
    'create-too-late': [
      'Creates a VPC before it checks the scopes',
      all(on('createVpc'), withOtherScope),
      applyBeforeAuth,
    ],
    'deletion-too-late': [
      'Deletes a template version before it checks the scopes',
      all(on('deleteVolumeTemplateVersion'), withOtherScope),
      applyBeforeAuth,
    ],
    images: ['Deletes unused images for any valid JWT', all(on('deleteUnusedImages'), withOtherScope), bypassAuth],
    '500': [
      'Returns 500 for a new connection without the scope',
      all(on('createIntegrationConnection'), withOtherScope),
      respond(500),
    ],
  },
});
