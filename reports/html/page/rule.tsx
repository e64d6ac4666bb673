/** One rule: a row that expands to its details. */
import { useMemo } from 'preact/hooks';
import type { Observation, RuleResult } from '../../../spec/verdicts.ts';
import type { PageData } from '../page-data.ts';
import { escapeControls } from '../../printable.ts';
import { formatReason } from '../../format-reason.ts';
import { RuleDetails } from './rule-details.tsx';
import { counted, duration } from './format.ts';
import { verdictWords } from './verdict.ts';

interface Props {
  result: RuleResult;
  data: PageData;
  isOpen: boolean;
  toggle: (id: string) => void;
}

/** Memoized, so that filtering and opening other rules does not render it again. */
export function Rule(props: Props) {
  return useMemo(() => <RuleArticle {...props} />, [props.result, props.isOpen]);
}

function RuleArticle({ result, data, isOpen, toggle }: Props) {
  const { id, rule, verdict, durationMs, exchanges } = result;
  const observations = data.report.observations.filter((each) => each.id === id);
  const { sign } = verdictWords(verdict);
  const repeated = data.repeated[id];
  return (
    <article id={id} class={`rule ${verdict}`} aria-labelledby={`${id}:title`}>
      <h4>
        <button type="button" aria-expanded={isOpen} onClick={() => toggle(id)}>
          <span class="sign" aria-hidden="true">
            {sign}
          </span>
          <span class="id" id={`${id}:title`}>
            {id}
          </span>
          <span class="spoken">, {verdict}</span>
          <span class="cost">{exchanges > 0 && `${counted(exchanges, 'exchange')} · ${duration(durationMs)}`}</span>
        </button>
      </h4>
      <p class="text">{escapeControls(rule)}</p>
      <Outcome result={result} observations={observations} isOpen={isOpen} />
      {repeated !== undefined && (
        <p class="reason">
          Failed with {escapeControls(repeated.cause)}, like <a href={`#${repeated.first}`}>{repeated.first}</a>.
        </p>
      )}
      {isOpen && <RuleDetails result={result} data={data} observations={observations} />}
    </article>
  );
}

/** The result in one sentence. */
function Outcome({
  result,
  observations,
  isOpen,
}: {
  result: RuleResult;
  observations: readonly Observation[];
  isOpen: boolean;
}) {
  const { verdict, reason, newer } = result;
  if (verdict === 'observed' && newer === undefined)
    return isOpen ? null : <p class="reason">{summarizeObservations(observations)}</p>;
  if (reason === undefined || (verdict === 'failed' && isOpen)) return null;
  return <p class="reason">{escapeControls(formatReason(result))}</p>;
}

/** The most frequent observation and the number of others. */
function summarizeObservations(observations: readonly Observation[]): string {
  const [first, ...others] = [...Map.groupBy(observations, ({ saw }) => saw)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  if (first === undefined) return 'Nothing was recorded.';
  const [saw, own] = first;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'other observation')}`;
  return `${escapeControls(saw)} (${own.length} of ${observations.length})${more}`;
}
