/** The groups with their totals, by cost, descending; plotted ones have the color of their line. */
import { useState } from 'preact/hooks';
import type { AccountMetricsDataEntry } from '../../../../spec/generated/types.ts';
import { dearestFirst, nameOf } from './series.ts';
import { count, usd } from './format.ts';

const AT_ONCE = 12;

interface Props {
  data: readonly AccountMetricsDataEntry[];
  drawn: number;
  groupBy: readonly string[];
}

export function MetricsGroups({ data, drawn, groupBy }: Props) {
  const [most, setMost] = useState(AT_ONCE);
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
          {dearestFirst(data)
            .slice(0, most)
            .map((entry, index) => (
              <tr key={nameOf(entry)}>
                <th scope="row">
                  <span class={index < drawn ? `swatch series-${index + 1}` : 'swatch'} aria-hidden="true" />
                  {nameOf(entry)}
                </th>
                {hasUsage && <td>{count(entry.summary.usage ?? 0)}</td>}
                <td>{usd(entry.summary.cost)}</td>
              </tr>
            ))}
        </tbody>
      </table>
      {most < data.length && (
        <button type="button" onClick={() => setMost(most + 100)}>
          Show {count(data.length - most)} more
        </button>
      )}
    </>
  );
}
