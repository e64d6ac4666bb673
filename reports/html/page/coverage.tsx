/** The coverage section: documented elements that the run did not exercise, by reason, most frequent first. */
import type { Coverage as CoverageData } from '../../../spec/verdicts.ts';
import { coverageLine } from '../../coverage-line.ts';
import { escapeControls } from '../../printable.ts';
import { count } from './format.ts';
import { groupByCount } from './group-by-count.ts';

export function Coverage({ coverage }: { coverage: CoverageData }) {
  return (
    <section aria-labelledby="coverage-title" id="coverage">
      <h2 id="coverage-title">Coverage</h2>
      <p class="lead">{coverageLine(coverage)}</p>
      <ul class="tally">
        {groupByCount(coverage.missing, ({ why }) => why).map(([why, missing]) => (
          <li key={why}>
            <span class="number">{count(missing.length)}</span>
            <details>
              <summary>{escapeControls(why)}</summary>
              <ul class="findings">
                {missing.map(({ operation, element }) => (
                  <li key={`${operation} ${element}`}>
                    <code>{operation}</code> {element}
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
