/** The matrix of areas and verdicts; every figure leads to its rules. */
import type { RuleResult, Verdict } from '../../../spec/verdicts.ts';
import { noFilter, writeAddress } from './address.ts';
import { areaOf, verdicts } from './verdict.ts';

export function Areas({ results }: { results: readonly RuleResult[] }) {
  const areas = [...Map.groupBy(results, areaOf)];
  const usedVerdicts = verdicts.filter(({ verdict }) => results.some((result) => result.verdict === verdict));
  return (
    <section class="group" aria-labelledby="areas-title" id="areas">
      <h3 id="areas-title">Areas</h3>
      <div class="scroll" role="group" aria-labelledby="areas-title" tabIndex={0}>
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">Area</th>
              {usedVerdicts.map(({ verdict, title }) => (
                <th scope="col" key={verdict}>
                  {title}
                </th>
              ))}
              <td class="share" aria-hidden="true" />
            </tr>
          </thead>
          <tbody>
            {areas.map(([area, own]) => (
              <tr key={area}>
                <th scope="row">
                  <a href={linkTo(area)}>{area}</a>
                </th>
                {usedVerdicts.map(({ verdict }) => (
                  <Cell key={verdict} area={area} verdict={verdict} of={countOf(own, verdict)} />
                ))}
                <Share own={own} />
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">All</th>
              {usedVerdicts.map(({ verdict }) => (
                <Cell key={verdict} area="" verdict={verdict} of={countOf(results, verdict)} />
              ))}
              <Share own={results} />
            </tr>
          </tfoot>
        </table>
      </div>
    </section>
  );
}

const countOf = (results: readonly RuleResult[], verdict: Verdict): number =>
  results.filter((result) => result.verdict === verdict).length;

const linkTo = (area: string, verdict?: Verdict): string =>
  writeAddress({ ...noFilter, place: 'rules', area, verdicts: verdict === undefined ? [] : [verdict] });

function Cell({ area, verdict, of }: { area: string; verdict: Verdict; of: number }) {
  if (of === 0) return <td class="none">·</td>;
  return (
    <td class={verdict}>
      <a href={linkTo(area, verdict)} aria-label={`${area || 'all areas'}, ${verdict}: ${of}`}>
        {of}
      </a>
    </td>
  );
}

/** The same figures as a bar, hidden from assistive technology. */
const Share = ({ own }: { own: readonly RuleResult[] }) => (
  <td class="share" aria-hidden="true">
    <span class="bar">
      {verdicts
        .filter(({ verdict }) => countOf(own, verdict) > 0)
        .map(({ verdict }) => (
          <span key={verdict} class={verdict} style={{ flexGrow: countOf(own, verdict) }} />
        ))}
    </span>
  </td>
);
