/** One rule: a line that opens to everything that was tried for it. */
import { useMemo } from 'preact/hooks';
import type { Observation, RuleResult } from '../../../spec/verdicts.ts';
import type { PageData } from '../page-data.ts';
import { printable } from '../../printable.ts';
import { whyOf } from '../../format-reason.ts';
import { RuleDetails } from './rule-details.tsx';
import { counted, duration } from './format.ts';
import { verdictWords } from './verdict.ts';

interface Props {
  result: RuleResult;
  data: PageData;
  isOpen: boolean;
  toggle: (id: string) => void;
}

/** Stays as it is while others are filtered and opened. */
export function Rule(props: Props) {
  return useMemo(() => <Drawn {...props} />, [props.result, props.isOpen]);
}

function Drawn({ result, data, isOpen, toggle }: Props) {
  const { id, rule, verdict, durationMs, exchanges } = result;
  const observations = data.report.observations.filter((each) => each.id === id);
  const { sign } = verdictWords(verdict);
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
      <p class="text">{printable(rule)}</p>
      <Said result={result} observations={observations} isOpen={isOpen} />
      {isOpen && <RuleDetails result={result} data={data} observations={observations} />}
    </article>
  );
}

/** In a sentence, what came of it. */
function Said({
  result,
  observations,
  isOpen,
}: {
  result: RuleResult;
  observations: readonly Observation[];
  isOpen: boolean;
}) {
  const { verdict, reason } = result;
  if (verdict === 'observed') return isOpen ? null : <p class="said">{sawInShort(observations)}</p>;
  if (reason === undefined || (verdict === 'failed' && isOpen)) return null;
  return <p class="said">{printable(whyOf(result))}</p>;
}

/** The most frequent answer, and how many others there were. */
function sawInShort(observations: readonly Observation[]): string {
  const [first, ...others] = [...Map.groupBy(observations, ({ saw }) => saw)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  if (first === undefined) return 'Nothing was recorded.';
  const [saw, own] = first;
  const more = others.length === 0 ? '' : `, and ${counted(others.length, 'other answer')}`;
  return `${printable(saw)} (${own.length} of ${observations.length})${more}`;
}
