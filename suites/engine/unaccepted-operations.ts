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
   * The reason why a rule was not tried, with what its operations returned and what to do next. The same text if it names a
   * response already, if there is advice on it, or if no operation of the rule is one of these.
   */
  explained(rule: Requirement, reason: string): string;
}

/** What an operation is about, a run creates with these, which are not documented. */
const creators: Partial<Record<OperationId, readonly OperationId[]>> = {
  updateAgent: ['createAgent'],
  deleteSandboxPreviewToken: ['createSandboxPreview', 'createSandboxPreviewToken'],
  deleteVolumeTemplateVersion: ['createVolumeTemplate', 'createVolumeTemplateVersion'],
};

const oauth: readonly OperationId[] = ['requestToken', 'authorize'];

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
      if (/\b[1-5]\d\d\b/.test(reason) || adviceFor(reason) !== undefined) return reason;
      const own = operations as readonly OperationId[];
      const concerned = [...new Set(own.flatMap((id) => [id, ...creatorsOf(id)]))];
      const refused = concerned.filter((id) => refusals.get(id) !== undefined && declared?.includes(id) !== false);
      if (refused.length === 0) return reason;
      const observed = refused.map((id) => `${routeOf(operation(id))} returned ${refusals.get(id)}`).join(', ');
      return `${reason} (${observed})${/--allow|target file/.test(reason) ? '' : `: ${nextStep(refused)}`}`;
    },
  };
}

function nextStep(refused: readonly OperationId[]): string {
  const routes = refused.map((id) => routeOf(operation(id))).join(' and ');
  return `${refused.some((id) => oauth.includes(id)) ? 'correct client in the target file, or ' : ''}answer ${routes} with success`;
}
