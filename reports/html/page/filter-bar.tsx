/** Filters by text, area and verdict; the selection is part of the URL. */
import type { RuleResult, Verdict } from '../../../spec/verdicts.ts';
import { matches, noFilter } from './address.ts';
import type { Filter } from './address.ts';
import { areaOf, verdicts } from './verdict.ts';

interface Props {
  results: readonly RuleResult[];
  visibleCount: number;
  address: Filter;
  filter: (change: Partial<Filter>) => void;
}

export function FilterBar({ results, visibleCount, address, filter }: Props) {
  const areas = [...new Set(results.map(areaOf))];
  const isFiltered = visibleCount < results.length || address.text !== '';
  return (
    <search class="filters">
      <label class="search">
        <span class="spoken">Search rules</span>
        <input
          type="search"
          placeholder="Search rules"
          value={address.text}
          onInput={({ currentTarget }) => filter({ text: currentTarget.value })}
        />
      </label>
      <label>
        <span class="spoken">Area</span>
        <select value={address.area} onChange={({ currentTarget }) => filter({ area: currentTarget.value })}>
          <option value="">All areas</option>
          {areas.map((area) => (
            <option key={area}>{area}</option>
          ))}
        </select>
      </label>
      <fieldset>
        <legend class="spoken">Verdicts</legend>
        <Chips results={results} address={address} filter={filter} />
      </fieldset>
      <p class="found" role="status">
        {isFiltered ? `${visibleCount} of ${results.length} rules` : `${results.length} rules`}
        {isFiltered && (
          <button type="button" class="quiet" onClick={() => filter(noFilter)}>
            Show all
          </button>
        )}
      </p>
    </search>
  );
}

/** One chip for each verdict that occurs or is selected. */
function Chips({ results, address, filter }: Omit<Props, 'visibleCount'>) {
  const isThere = (verdict: Verdict): boolean => results.some((result) => result.verdict === verdict);
  return verdicts
    .filter(({ verdict }) => address.verdicts.includes(verdict) || isThere(verdict))
    .map(({ verdict, title, sign, means }) => (
      <button
        key={verdict}
        type="button"
        class={`chip ${verdict}`}
        aria-pressed={address.verdicts.includes(verdict)}
        title={means}
        onClick={() => filter({ verdicts: changed(address.verdicts, verdict) })}
      >
        <span class="sign" aria-hidden="true">
          {sign}
        </span>
        {title}{' '}
        <span class="number">
          {results.filter((result) => matches(result, { ...address, verdicts: [verdict] })).length}
        </span>
      </button>
    ));
}

const changed = (chosen: readonly Verdict[], verdict: Verdict): readonly Verdict[] =>
  chosen.includes(verdict) ? chosen.filter((each) => each !== verdict) : [...chosen, verdict];
