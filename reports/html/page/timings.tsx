/** The rules that took longest. */
import type { RuleResult } from '../../../spec/verdicts.ts';
import { count, duration } from './format.ts';

const MAX_ROWS = 12;

export function Timings({ results }: { results: readonly RuleResult[] }) {
  const slowest = results
    .filter(({ durationMs }) => durationMs > 0)
    .toSorted((a, b) => b.durationMs - a.durationMs)
    .slice(0, MAX_ROWS);
  const [longest] = slowest;
  if (longest === undefined) return null;
  return (
    <section aria-labelledby="timings-title" id="timings">
      <h2 id="timings-title">Slowest rules</h2>
      <div class="scroll" role="group" aria-labelledby="timings-title" tabIndex={0}>
        <table class="timings">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Took</th>
              <th scope="col">Exchanges</th>
              <td class="share" aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {slowest.map(({ id, durationMs, exchanges }) => (
              <tr key={id}>
                <th scope="row">
                  <a href={`#${id}`}>{id}</a>
                </th>
                <td>{duration(durationMs)}</td>
                <td>{count(exchanges)}</td>
                <td class="share" aria-hidden="true">
                  <span class="length" style={{ width: `${(100 * durationMs) / longest.durationMs}%` }} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
