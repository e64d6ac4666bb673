/** Table of the groups and their totals, by cost, descending. Plotted groups have the color of their line. */
import { useState } from 'preact/hooks';
import type { AccountMetricsDataEntry } from '../../../../spec/generated/types.ts';
import { byCostDescending, nameOf } from './series.ts';
import { count, usd } from './format.ts';

const PAGE_SIZE = 12;

interface Props {
  data: readonly AccountMetricsDataEntry[];
  plottedCount: number;
  groupBy: readonly string[];
}

export function MetricsGroups({ data, plottedCount, groupBy }: Props) {
  const [visibleCount, setVisibleCount] = useState(PAGE_SIZE);
  const hasUsage = groupBy.includes('billing_dimension');
  return (
    <>
      <table class="groups">
        <thead>
          <tr>
            <th scope="col">Group</th>
            {hasUsage && <th scope="col">Usage</th>}
            <th scope="col">Cost</th>
          </tr>
        </thead>
        <tbody>
          {byCostDescending(data)
            .slice(0, visibleCount)
            .map((entry, index) => (
              <tr key={nameOf(entry)}>
                <th scope="row">
                  <span class={index < plottedCount ? `swatch series-${index + 1}` : 'swatch'} aria-hidden="true" />
                  {nameOf(entry)}
                </th>
                {hasUsage && <td>{count(entry.summary.usage ?? 0)}</td>}
                <td>{usd(entry.summary.cost)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {visibleCount < data.length && (
        <button type="button" onClick={() => setVisibleCount(visibleCount + 100)}>
          Show {count(data.length - visibleCount)} more
        </button>
      )}
    </>
  );
}
