/** Maps parts of operations to requirements. */
import type { OperationId } from '../operations.ts';
import type { RequirementId } from '../requirements/index.ts';
import { requirements } from '../requirements/index.ts';

/** Matched in order against `<operationId> <part>`; the first match wins. */
export const rows: readonly (readonly [RegExp, readonly RequirementId[]])[] = [
  [/^updateAgent scope admin$/, ['auth.scopes.update-agent-accepts-admin']],
  [/^updateAgent scope agents:update$/, ['auth.scopes.update-agent-accepts-agents-update']],
  [/ header Svc-Version$/, ['versions.listed.accepted-everywhere']],
  [/ header X-Svc-Workspace$/, ['auth.workspace-header.missing-or-other']],
  [/ header X-Svc-Thread-Id$/, ['inference.agents.threads-separate']],
  [/ query startTime$| query endTime$/, ['metrics.parameters.window-required']],
  [/ query resolution$/, ['metrics.resolution.explicit-echoed', 'metrics.resolution.picked-by-window']],
  [/ query groupBy$/, ['metrics.group-by.every-set-accepted']],
  [/ query (limit|cursor)$/, ['metrics.pagination.limit-clamped', 'metrics.pagination.every-group-once']],
  [/^getAccountMetrics query /, ['metrics.filters.filter-is-the-slice']],
  [/^getAccountMetrics response 403$/, ['metrics.roles.workspace-filter-admin-only']],
  [/^updateAgent response 401$/, ['auth.update-agent.missing-credential-401', 'auth.update-agent.bad-credential-401']],
  [/^updateAgent response 403$/, ['auth.scopes.update-agent-refuses-others-403']],
  [/^updateAgent response 404$/, ['agents.update.unknown-404']],
  [/^updateAgent response 500$/, ['errors.management.body-shape']],
  [/ response 400$/, ['versions.unknown.stable-date-refused']],
  [/\bmetadata\.name$/, ['naming.name.required', 'naming.name.at-most-49']],
  [/\bmetadata\.displayName$/, ['naming.display-name.up-to-63-accepted']],
  [/\bmetadata\.labels$/, ['naming.labels.string-values']],
  [/\bmetadata\.(createdAt|updatedAt)$/, ['resources.timestamps.ordered']],
  [/\bmetadata\.(createdBy|updatedBy|plan)$/, ['resources.read-only.never-taken-from-client']],
  [/\bmetadata\.url$/, ['resources.url.present-on-workloads']],
  [/\bmetadata\.workspace$/, ['resources.envelope.metadata-and-spec']],
  [/ status$/, ['resources.status.known-value']],
  [/ events(\[\]\.\w+)?$/, ['resources.events.record-shape']],
  [/ spec\.enabled$/, ['agents.enabled.false-does-not-serve', 'agents.update.defaults']],
  [/ spec\.public$/, ['auth.public-agent.open-when-public', 'agents.update.defaults']],
  [/ spec\.region$/, ['agents.volumes.region-required']],
  [/ spec\.volumes(\[\]\.\w+)?$/, ['agents.volumes.must-exist-in-region', 'agents.volumes.mount-path-absolute']],
  [/ spec\.runtime\.generation$/, ['agents.runtime.generation-known']],
  [/ spec\.triggers\[\]\.id$/, ['agents.triggers.ids-distinct']],
  [/ spec\.triggers\[\]\.type$/, ['agents.triggers.type-known']],
  [/\.configuration\.timeout$/, ['agents.triggers.timeout-at-most-900', 'agents.triggers.timeout-mk3-only']],
  [/\.configuration\.schedule$/, ['agents.triggers.schedule-five-fields']],
  [/\.configuration\.callback(Secret|Url)$/, ['agents.triggers.callback-secret-is-the-servers']],
  [/^updateAgent (request|response 200) spec\b/, ['agents.update.round-trip', 'agents.update.wrong-type-400']],
  [/^updateAgent (request|response 200) metadata$/, ['agents.update.envelope-required']],
  [/^createVpc (request|response 200) (metadata|spec)$/, ['vpcs.create.envelope-required']],
  [/ response 200 meta(\.\w+)?$/, ['metrics.pagination.has-more-and-cursor-agree']],
  [/ response 200 .*\b(totalUsage|usage)$/, ['metrics.usage.with-billing-dimension']],
  [/ response 200 .*\.cost$/, ['metrics.cost.always-there']],
  [/ response 200 data\[\]\.timeseries/, ['metrics.buckets.one-per-step-zeros-included']],
  [/ response 200 data\[\]\.\w+$/, ['metrics.group-by.requested-fields-filled']],
  [/^getAccountMetrics response 200\b/, ['metrics.answer.shape-and-echo']],
  [/^createVpc response 200\b/, ['vpcs.create.answers-resource']],
  [/^createIntegrationConnection request spec\b/, ['integrations.connections.create-succeeds']],
  [/^createFunction request spec\b/, ['functions.create.with-connection']],
  [/^getIntegration response 200\b/, ['integrations.get.provider-shape']],
  [/^deleteUnusedImages response 200\b/, ['images.cleanup.answer-shape']],
  [/^writeTree response 200\b/, ['sandbox.tree.listing-shape', 'sandbox.tree.write-answers-listing']],
  [/^writeTree request\b/, ['sandbox.tree.bad-body-rejected']],
  [/^listMultipartUploads response 200\b/, ['sandbox.multipart.list-shape']],
];

/** Returns the requirements of the part, or those of the operation if no row matches. */
export function partRequirements(operation: OperationId, part: string): readonly RequirementId[] {
  return rowOf(operation, part) ?? operationRequirements(operation);
}

const rowOf = (operation: OperationId, part: string): readonly RequirementId[] | undefined =>
  rows.find(([form]) => form.test(`${operation} ${part}`.trimEnd()))?.[1];

/** Returns the requirements for a finding in a request: at a JSON Pointer into the body, or a parameter such as `query limit`. */
export function requestRequirements(operation: OperationId, at: string): readonly RequirementId[] {
  return rowOf(operation, at === '' || at.startsWith('/') ? `request ${fieldOf(at)}` : at) ?? [];
}

/** Returns the requirements for findings at JSON Pointers into a success body, without duplicates. Rows for errors match statuses only. */
export function responseRequirements(
  operation: OperationId,
  status: number,
  found: readonly { readonly at: string }[],
): RequirementId[] {
  if (status < 200 || status > 299) return [];
  return [...new Set(found.flatMap(({ at }) => rowOf(operation, `response 200 ${fieldOf(at)}`) ?? []))];
}

/** Converts a JSON Pointer to the notation of the rows: /spec/triggers/0/id becomes spec.triggers[].id. */
function fieldOf(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll('/', '.')
    .replaceAll(/\.\d+(?=\.|$)/g, '[]');
}

/** Returns the must rules that name the operation; rules for a whole surface are not included. */
export function operationRequirements(operation: OperationId): readonly RequirementId[] {
  return requirements
    .filter(({ level, operations }) => level === 'must' && (operations as readonly string[]).includes(operation))
    .map(({ id }) => id);
}
