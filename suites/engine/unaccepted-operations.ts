/** Operations whose valid requests a target has only refused so far: the reason of a rule that lacks one names the response. */
import { routeOf } from '../../spec/missing-operation.ts';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { adviceFor } from '../../spec/requirements/need-advice.ts';
import type { Requirement } from '../../spec/requirements/requirement.ts';
import type { Exchange } from '../target/exchange.ts';

export interface UnacceptedOperations {
  /** Of a valid request. */
  note(id: OperationId, exchange: Exchange): void;
  /**
   * The reason why a rule was not tried, with what its operations returned and what to do next, unless it says so already. The
   * same text if there is advice on it, or if no operation of the rule is one of these.
   */
  explained(rule: Requirement, reason: string): string;
}

/** What an operation is about, a run creates with these, which are not documented. */
const creators: Partial<Record<OperationId, readonly OperationId[]>> = {
  updateAgent: ['createAgent'],
  deleteSandboxPreviewToken: ['createSandboxPreview', 'createSandboxPreviewToken'],
  deleteVolumeTemplateVersion: ['createVolumeTemplate', 'createVolumeTemplateVersion'],
};

/**
 * `hasAgent`: whether the target file names an agent, so that a run need not create one. `declared`: only these are named. Default:
 * all.
 */
export function createUnacceptedOperations(hasAgent: boolean, declared?: readonly OperationId[]): UnacceptedOperations {
  /** The status of the last response. Undefined if one was accepted. */
  const refusals = new Map<OperationId, number | undefined>();
  const creatorsOf = (id: OperationId): readonly OperationId[] =>
    id === 'updateAgent' && hasAgent ? [] : (creators[id] ?? []);
  return {
    note(id, { response: { status } }) {
      if (refusals.has(id) && refusals.get(id) === undefined) return;
      refusals.set(id, status < 400 ? undefined : status);
    },
    explained({ operations }, reason) {
      if (adviceFor(reason) !== undefined) return reason;
      const own = operations as readonly OperationId[];
      const concerned = [...new Set(own.flatMap((id) => [id, ...creatorsOf(id)]))];
      const refused = concerned.filter((id) => refusals.get(id) !== undefined && declared?.includes(id) !== false);
      const hasStatus = STATUS.test(reason);
      const observed = refused.map((id) => `${routeOfId(id)} returned ${refusals.get(id)}`).join(', ');
      const text = hasStatus || refused.length === 0 ? reason : `${reason} (${observed})`;
      const routes = hasStatus ? routesBehind(reason, refused, refusals) : refused.map(routeOfId);
      if (NEXT_STEP.test(reason) || routes.length === 0) return text;
      return `${text}${text.includes(': ') ? ';' : ':'} ${nextStep(routes)}`;
    },
  };
}

const STATUS = /\b[1-5]\d\d\b/;
const NEXT_STEP = /--allow|target file|\banswer [A-Z]+ \//;

/** They are about the caller, or the state of the target: it need not answer otherwise. */
const ofCaller: readonly number[] = [401, 402, 403, 409, 423, 429];
const mayBeRepaired = (status: number): boolean => !ofCaller.includes(status);

const routeOfId = (id: OperationId): string => routeOf(operation(id));

/** What returned the status that a reason names: the route that it names, too, or those whose last status is the same. */
function routesBehind(
  reason: string,
  refused: readonly OperationId[],
  statuses: ReadonlyMap<OperationId, number | undefined>,
): string[] {
  const named = [...reason.matchAll(/\b([A-Z]+ \/\S+) returned (\d{3})/g)];
  if (named.length > 0)
    return named.filter(([, , status]) => mayBeRepaired(Number(status))).map(([, route = '']) => route);
  const isNamed = (status: number): boolean => mayBeRepaired(status) && reason.includes(`${status}`);
  return refused.filter((id) => isNamed(statuses.get(id) ?? 0)).map(routeOfId);
}

const oauthRoutes = new Set((['requestToken', 'authorize'] as const).map(routeOfId));

function nextStep(routes: readonly string[]): string {
  const client = routes.some((route) => oauthRoutes.has(route)) ? 'correct client in the target file, or ' : '';
  return `${client}answer ${routes.join(' and ')} with success`;
}
