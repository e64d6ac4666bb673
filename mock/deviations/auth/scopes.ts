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
    '': keepsOut('Requires admin for agent updates', 403, all(update, updates)),
    envs: refusesChange('Requires admin for updates with environment variables', updates, 'envs'),
    brand: keepsOut('Requires admin for updates by brand header', 401, all(update, updates, comesBy('brand'))),
    kept: keepsAndShows('Does not change an agent if an update has only agents:update', (after, before, _, ctx) =>
      updates(ctx) && before !== undefined ? { ...after, metadata: before.metadata, spec: before.spec } : after,
    ),
    '400': answersStatus('Returns 400 for an update with only agents:update', 400, all(update, updates, isStatus(200))),
  },

  'auth.scopes.update-agent-accepts-admin': {
    '': keepsOut('Denies scope admin agent updates', 403, all(update, isAdmin)),
    '401': answersStatus('Returns 401 for an agent update with scope admin', 401, all(update, isAdmin)),
    policies: refusesChange("Denies scope admin changes of an agent's policies", isAdmin, 'policies'),
    brand: keepsOut('Denies scope admin agent updates by brand header', 403, all(update, isAdmin, comesBy('brand'))),
  },

  'auth.scopes.update-agent-refuses-others-403': {
    '': lets('Accepts an agent update with any valid JWT', all(update, isStranger)),
    agents: lets(
      'Accepts any scope of agents as agents:update',
      all(
        update,
        hasOnly((scope) => scope === 'agents:get'),
      ),
    ),
    brand: lets('Does not check scopes for updates by brand header', all(update, isStranger, comesBy('brand'))),
    '401': answersStatus(
      'Returns 401 for an agent update without the scope',
      401,
      all(update, isStranger, isStatus(403)),
    ),
    body: answersStatus(
      'Omits error from the refusal of an update without the scope',
      403,
      all(update, isStranger, isStatus(403)),
      { message: 'Forbidden' },
    ),
    triggers: setsInSpite(
      'Sets the triggers of an update without the scope but refuses it',
      403,
      all(update, isStranger),
      withMembers('triggers'),
    ),
    enabled: setsInSpite(
      'Disables an agent by an update without the scope but refuses it',
      403,
      all(update, isStranger),
      withMembers('enabled'),
    ),
    variables: setsInSpite(
      'Sets the environment variables of an update without the scope but refuses it',
      403,
      all(update, isStranger),
    ),
    'too-late': tooLate('Updates an agent before it checks the scopes', all(update, isStranger)),
  },

  'auth.scopes.admin-is-the-default': {
    '': lets('Lists accounts for any valid JWT', all(at('listAccounts'), isStranger)),
    agents: lets('Accepts agents:update for new functions', all(at('createFunction'), updates)),
    brand: lets(
      'Returns integration info to any valid JWT in the brand header',
      all(at('getIntegration'), isStranger, comesBy('brand')),
    ),
    'create-too-late': tooLate('Creates a VPC before it checks the scopes', all(at('createVpc'), isStranger)),
    'deletion-too-late': tooLate(
      'Deletes a template version before it checks the scopes',
      all(at('deleteVolumeTemplateVersion'), isStranger),
    ),
    images: lets('Deletes unused images for any valid JWT', all(at('deleteUnusedImages'), isStranger)),
    '500': answersStatus(
      'Returns 500 for a new connection without the scope',
      500,
      all(at('createIntegrationConnection'), isStranger),
    ),
  },
});
