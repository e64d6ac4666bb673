/** The whole page: how it went, by area, rule by rule, and how long it took. */
import { useEffect, useState } from 'preact/hooks';
import type { PageData } from '../page-data.ts';
import { fits } from './address.ts';
import { Areas } from './areas.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Masthead } from './masthead.tsx';
import { Oracle } from './oracle.tsx';
import { RuleGroups } from './rule-groups.tsx';
import { Timings } from './timings.tsx';
import { rememberPlace, useAddress } from './use-address.ts';

/** Rules that failed stand open from the start, as many as one reads. */
const OPEN_AT_FIRST = 10;

export function App({ data }: { data: PageData }) {
  const { requirements } = data.report;
  const { address, arrivals, filter } = useAddress(requirements);
  const [open, setOpen] = useState(() => failedRules(data));
  const shown = requirements.filter((result) => fits(result, address));

  useEffect(() => {
    const { place } = address;
    if (requirements.some(({ id }) => id === place)) setOpen((before) => new Set(before).add(place));
    if (place !== '') requestAnimationFrame(() => goTo(place)); // behind the paint that opens it
  }, [arrivals]);

  const toggle = (id: string): void => {
    setOpen((before) => new Set(before).symmetricDifference(new Set([id])));
    rememberPlace(id);
  };

  return (
    <>
      <a class="skip" href="#rules">
        Skip to the rules
      </a>
      <Masthead data={data} />
      <main>
        <Areas results={requirements} />
        <section id="rules" aria-labelledby="rules-title" tabIndex={-1}>
          <h2 id="rules-title">Rules</h2>
          <FilterBar results={requirements} shown={shown.length} address={address} filter={filter} />
          <RuleGroups data={data} shown={shown} open={open} toggle={toggle} />
          {shown.length === 0 && <p class="empty">No rule fits the filter.</p>}
        </section>
        {data.report.oracle !== undefined && <Oracle oracle={data.report.oracle} />}
        <Timings results={requirements} />
      </main>
      <footer>
        Written by assay {data.report.run.assay}. Credentials stand as $NAME. All exchanges are in exchanges.ndjson
        beside this file.
        {data.unreadableLines > 0 && ` Lines of it that could not be read: ${data.unreadableLines}.`}
      </footer>
    </>
  );
}

/** Takes eyes and keyboard there; a keyboard that has gone on inside stays where it is. */
function goTo(place: string): void {
  const element = document.getElementById(place);
  if (element === null) return;
  element.scrollIntoView();
  if (element.contains(document.activeElement)) return;
  (element.querySelector<HTMLElement>(':scope > h4 button') ?? element).focus({ preventScroll: true });
}

function failedRules({ report: { requirements } }: PageData): ReadonlySet<string> {
  const failed = requirements.filter(({ verdict }) => verdict === 'failed');
  return new Set(failed.slice(0, OPEN_AT_FIRST).map(({ id }) => id));
}
