import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { account, allEntries, groupBy, OCTOBER, queryMetrics } from '../testing/query-metrics.ts';
import type { MeteredResource } from './meters.ts';

const resource = fc.constantFrom(...account);
const filters = fc.record(
  {
    workspace: resource.map(({ workspace }) => workspace),
    resourceType: resource.map(({ type }) => type),
    resourceName: resource.map(({ name }) => name),
    resourceUuid: resource.map(({ uuid = 'none' }) => uuid),
    billingDimension: resource.map(({ meters }) => meters[0]?.dimension ?? 'agent_compute_runtime_gbs'),
  },
  { requiredKeys: [] },
);

/** What of the account the filters select. */
function selected(wanted: Partial<Record<string, string>>): MeteredResource[] {
  const isWanted = ({ workspace, type, name, uuid }: MeteredResource): boolean =>
    (wanted['workspace'] ?? workspace) === workspace &&
    (wanted['resourceType'] ?? type) === type &&
    (wanted['resourceName'] ?? name) === name &&
    (wanted['resourceUuid'] ?? uuid) === uuid;
  return account.filter(isWanted).map((each) => ({
    ...each,
    meters: each.meters.filter(({ dimension }) => (wanted['billingDimension'] ?? dimension) === dimension),
    uses: (each.uses ?? []).filter(({ dimension }) => (wanted['billingDimension'] ?? dimension) === dimension),
  }));
}

test('filters have the effect of an account that contains only what they select', () => {
  fc.assert(
    fc.property(filters, fc.option(groupBy), (wanted, dimensions) => {
      const grouped = OCTOBER + (dimensions === null ? '' : `&groupBy=${dimensions}`);
      const filtered = `${grouped}&${new URLSearchParams(wanted).toString()}`;
      const resources = selected(wanted);
      expect(allEntries(filtered)).toEqual(allEntries(grouped, { resources }));
      expect(queryMetrics(filtered).summary).toEqual(queryMetrics(grouped, { resources }).summary);
    }),
    { numRuns: 300 },
  );
});
