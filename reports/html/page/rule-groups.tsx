/** Rules grouped by verdict. */
import type { RuleResult } from '../../../spec/verdicts.ts';
import type { PageData } from '../page-data.ts';
import { escapeControls } from '../../printable.ts';
import { adviceOrReason } from '../../unmet-needs.ts';
import { Rule } from './rule.tsx';
import { count, counted } from './format.ts';
import { groupByCount } from './group-by-count.ts';
import type { VerdictWords } from './verdict.ts';

interface Props {
  data: PageData;
  /** In this order. */
  verdicts: readonly VerdictWords[];
  results: readonly RuleResult[];
  open: ReadonlySet<string>;
  toggle: (id: string) => void;
}

export function RuleGroups({ data, verdicts, results, open, toggle }: Props) {
  return verdicts.map((words) => {
    const own = results.filter(({ verdict }) => verdict === words.verdict);
    if (own.length === 0) return null;
    return (
      <section key={words.verdict} class="group" aria-labelledby={`group-${words.verdict}`}>
        <h3 id={`group-${words.verdict}`}>
          {words.title} <span class="number">{own.length}</span>
        </h3>
        <p class="means">{intro(words, own, data)}</p>
        {words.verdict === 'not-tried' && <Needs results={own} />}
        {own.map((result) => (
          <Rule key={result.id} result={result} data={data} isOpen={open.has(result.id)} toggle={toggle} />
        ))}
      </section>
    );
  });
}

function intro({ verdict, means }: VerdictWords, own: readonly RuleResult[], { report }: PageData): string {
  if (verdict !== 'observed') return means;
  const ids = new Set(own.map(({ id }) => id as string));
  return `${means} ${counted(report.observations.filter(({ id }) => ids.has(id)).length, 'observation')}.`;
}

/** What would let more rules be tried, with counts. */
function Needs({ results }: { results: readonly RuleResult[] }) {
  return (
    <ul class="tally">
      {groupByCount(results, adviceOrReason).map(([advice, own]) => (
        <li key={advice}>
          <span class="number">{count(own.length)}</span>
          <span>{escapeControls(advice)}</span>
        </li>
      ))}
    </ul>
  );
}
