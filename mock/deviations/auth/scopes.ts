/** Faults in what a scope lets through. */
import { deviationsOf } from '../table.ts';
import { sentBody, type Deviation, type Deviations } from '../deviation.ts';
import type { Context } from '../../pipeline/context.ts';
import { keepsAndShows } from '../agents/faults.ts';
import {
  all,
  answersStatus,
  at,
  comesBy,
  hasScope,
  isJwt,
  isStatus,
  setsInSpite,
  lets,
  keepsOut,
  tooLate,
  withMembers,
  type Concerns,
} from './faults.ts';

const update = at('updateAgent');

const hasOnly =
  (test: (scope: string) => boolean): Concerns =>
  (ctx) =>
    isJwt(ctx) && hasScope(ctx, test) && !hasScope(ctx, (scope) => scope === 'admin');
const updates = hasOnly((scope) => scope === 'agents:update');
const isStranger = hasOnly((scope) => scope === 'mcphub:list');
const isAdmin: Concerns = (ctx) => isJwt(ctx) && hasScope(ctx, (scope) => scope === 'admin');

/** Keeps out who changes some members of the spec, or of the runtime. */
function refusesChange(what: string, concerns: Concerns, member: string): Deviation {
  return {
    what,
    wrap: (app) => async (ctx) => {
      await app(ctx);
      if (!update(ctx) || !concerns(ctx) || !isStatus(200)(ctx) || !(await changes(ctx, member))) return;
      ctx.state.reply = { status: 403, body: { error: 'forbidden', code: 403, message: 'The scope is not enough.' } };
    },
  };
}

async function changes(ctx: Context, member: string): Promise<boolean> {
  const { spec } = ((await sentBody(ctx)) ?? {}) as { spec?: { runtime?: object } };
  return spec !== undefined && (member in spec || member in (spec.runtime ?? {}));
}

export const scopesDeviations: Deviations = deviationsOf({
  'auth.scopes.update-agent-accepts-agents-update': {
    '': keepsOut('asks for admin at agent update', 403, all(update, updates)),
    envs: refusesChange('asks for admin where an update has environment variables', updates, 'envs'),
    brand: keepsOut(
      'asks for admin where an update comes by the brand header',
      401,
      all(update, updates, comesBy('brand')),
    ),
    kept: keepsAndShows(
      'leaves an agent as it is where an update comes with agents:update alone',
      (after, before, _, ctx) =>
        updates(ctx) && before !== undefined ? { ...after, metadata: before.metadata, spec: before.spec } : after,
    ),
    '400': answersStatus(
      'calls an update invalid that comes with agents:update alone',
      400,
      all(update, updates, isStatus(200)),
    ),
  },

  'auth.scopes.update-agent-accepts-admin': {
    '': keepsOut('forbids agent update to scope admin', 403, all(update, isAdmin)),
    '401': answersStatus('answers an agent update with scope admin 401', 401, all(update, isAdmin)),
    policies: refusesChange('forbids scope admin to change the policies of an agent', isAdmin, 'policies'),
    brand: keepsOut(
      'forbids scope admin an agent update by the brand header',
      403,
      all(update, isAdmin, comesBy('brand')),
    ),
  },

  'auth.scopes.update-agent-refuses-others-403': {
    '': lets('lets any valid JWT update an agent', all(update, isStranger)),
    agents: lets(
      'takes any scope of agents for agents:update',
      all(
        update,
        hasOnly((scope) => scope === 'agents:get'),
      ),
    ),
    brand: lets(
      'looks at no scopes where an update comes by the brand header',
      all(update, isStranger, comesBy('brand')),
    ),
    '401': answersStatus(
      'answers an agent update that lacks the scope 401',
      401,
      all(update, isStranger, isStatus(403)),
    ),
    body: answersStatus(
      'answers an agent update that lacks the scope without error',
      403,
      all(update, isStranger, isStatus(403)),
      { message: 'Forbidden' },
    ),
    triggers: setsInSpite(
      'sets the triggers of an update that lacks the scope, and refuses it',
      403,
      all(update, isStranger),
      withMembers('triggers'),
    ),
    enabled: setsInSpite(
      'disables an agent by an update that lacks the scope, and refuses it',
      403,
      all(update, isStranger),
      withMembers('enabled'),
    ),
    variables: setsInSpite(
      'sets the environment variables of an update that lacks the scope, and refuses it',
      403,
      all(update, isStranger),
    ),
    'too-late': tooLate('updates an agent before it looks at the scopes', all(update, isStranger)),
  },

  'auth.scopes.admin-is-the-default': {
    '': lets('lists accounts for any valid JWT', all(at('listAccounts'), isStranger)),
    agents: lets('takes agents:update for leave to create functions', all(at('createFunction'), updates)),
    brand: lets(
      'tells integration info to any valid JWT in the brand header',
      all(at('getIntegration'), isStranger, comesBy('brand')),
    ),
    'create-too-late': tooLate('creates a VPC before it looks at the scopes', all(at('createVpc'), isStranger)),
    'deletion-too-late': tooLate(
      'deletes a template version before it looks at the scopes',
      all(at('deleteVolumeTemplateVersion'), isStranger),
    ),
    images: lets('cleans up images for any valid JWT', all(at('deleteUnusedImages'), isStranger)),
    '500': answersStatus(
      'answers 500 where a connection is created without the scope',
      500,
      all(at('createIntegrationConnection'), isStranger),
    ),
  },
});
