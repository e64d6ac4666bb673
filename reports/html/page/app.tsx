/** The whole page: header, failures, areas, other rules, coverage, oracle and timings. */
import { useEffect, useState } from 'preact/hooks';
import type { PageData } from '../page-data.ts';
import { matches } from './address.ts';
import { Areas } from './areas.tsx';
import { Coverage } from './coverage.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Masthead } from './masthead.tsx';
import { Oracle } from './oracle.tsx';
import { RuleGroups } from './rule-groups.tsx';
import { Timings } from './timings.tsx';
import { UnknownPlace } from './unknown-place.tsx';
import { rememberPlace, useAddress } from './use-address.ts';
import { failingVerdicts, otherVerdicts } from './verdict.ts';

/** The number of failed rules that are expanded when the page opens, one of each cause. */
const MAX_INITIALLY_OPEN = 10;

export function App({ data }: { data: PageData }) {
  const { requirements } = data.report;
  const { address, arrivals: navigationCount, filter } = useAddress(requirements);
  const [open, setOpen] = useState(() => failedRules(data));
  const [unknownPlace, setUnknownPlace] = useState('');
  const visible = requirements.filter((result) => matches(result, address));
  const isFiltered = visible.length < requirements.length;

  useEffect(() => {
    const { place } = address;
    if (requirements.some(({ id }) => id === place)) setOpen((before) => new Set(before).add(place));
    // After the rule has been rendered.
    onceLoaded(() => setUnknownPlace(place === '' || scrollAndFocus(place) ? '' : place));
  }, [navigationCount]);

  const toggle = (id: string): void => {
    setOpen((before) => new Set(before).symmetricDifference(new Set([id])));
    rememberPlace(id);
  };

  const groups = { data, results: visible, open, toggle };

  return (
    <>
      <a class="skip" href="#rules">
        Skip to the rules
      </a>
      <Masthead data={data} />
      <main>
        {unknownPlace !== '' && <UnknownPlace place={unknownPlace} results={requirements} />}
        <section id="rules" aria-labelledby="rules-title" tabIndex={-1}>
          <h2 id="rules-title">Rules</h2>
          <FilterBar results={requirements} visibleCount={visible.length} address={address} filter={filter} />
          <RuleGroups verdicts={failingVerdicts} {...groups} />
          {!isFiltered && <Areas results={requirements} />}
          <RuleGroups verdicts={otherVerdicts} {...groups} />
          {visible.length === 0 && <p class="empty">No rules match the filter.</p>}
          {isFiltered && <Areas results={requirements} />}
        </section>
        {data.report.coverage !== undefined && <Coverage coverage={data.report.coverage} />}
        {data.report.oracle !== undefined && <Oracle oracle={data.report.oracle} />}
        <Timings results={requirements} />
      </main>
      <footer>
        Written by assay {data.report.run.assay}. Credentials are replaced by $NAME. exchanges.ndjson in the same folder
        contains more exchanges.
        {data.unreadableLines > 0 && ` ${data.unreadableLines} truncated lines of it were skipped.`}
      </footer>
    </>
  );
}

/**
 * In the first frame after the document has loaded: before, the browser may still follow the fragment itself, which moves the
 * focus from the rule to the page (HTML, "scroll to the fragment").
 */
function onceLoaded(act: () => void): void {
  if (document.readyState === 'complete') requestAnimationFrame(act);
  else addEventListener('load', () => requestAnimationFrame(act), { once: true });
}

/** Scrolls to the element and focuses it, unless something inside it already has the focus. Returns false if there is none. */
function scrollAndFocus(place: string): boolean {
  const element = document.getElementById(place);
  if (element === null) return false;
  scrollUntilStable(element);
  if (!element.contains(document.activeElement))
    (element.querySelector<HTMLElement>(':scope > h4 button') ?? element).focus({ preventScroll: true });
  return true;
}

/** Rules out of sight have an estimated height (content-visibility), so the first scroll may end at another rule. */
const MAX_SCROLLS = 10;

function scrollUntilStable(element: HTMLElement, scrollsLeft = MAX_SCROLLS): void {
  element.scrollIntoView();
  const { top } = element.getBoundingClientRect();
  requestAnimationFrame(() => {
    if (scrollsLeft > 1 && Math.abs(element.getBoundingClientRect().top - top) > 1)
      scrollUntilStable(element, scrollsLeft - 1);
  });
}

function failedRules({ report: { requirements }, repeated }: PageData): ReadonlySet<string> {
  const failed = requirements.filter(({ id, verdict }) => verdict === 'failed' && !(id in repeated));
  return new Set(failed.slice(0, MAX_INITIALLY_OPEN).map(({ id }) => id));
}
