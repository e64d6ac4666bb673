/** The coverage section: documented elements that the run did not exercise, by reason. */
import type { Coverage as CoverageData } from '../../../spec/verdicts.ts';
import { coverageLine } from '../../coverage-line.ts';
import { escapeControls } from '../../printable.ts';
import { count } from './format.ts';

export function Coverage({ coverage }: { coverage: CoverageData }) {
  const byReason = [...Map.groupBy(coverage.missing, ({ why }) => why)];
  return (
    <section aria-labelledby="coverage-title" id="coverage">
      <h2 id="coverage-title">Coverage</h2>
      <p class="lead">{coverageLine(coverage)}</p>
      {byReason.map(([why, missing]) => (
        <details key={why}>
          <summary>
            {count(missing.length)} × {escapeControls(why)}
          </summary>
          <ul class="findings">
            {missing.map(({ operation, element }) => (
              <li key={`${operation} ${element}`}>
                <code>{operation}</code> {element}
              </li>
            ))}
          </ul>
        </details>
      ))}
    </section>
  );
}
