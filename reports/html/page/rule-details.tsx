/** What was tried for a rule: its failure first, then the series (of the failure, where it has one), what was seen, and the exchanges. */
import type { Observation, RuleResult } from '../../../spec/verdicts.ts';
import type { PageData } from '../page-data.ts';
import { printable } from '../../printable.ts';
import { shownExchanges } from './counterexample.ts';
import { ExchangeList } from './exchange-list.tsx';
import { exchangesOf } from './exchanges-of.ts';
import { Failure, Repeat } from './failure.tsx';
import { MetricsFigure } from './metrics-figure.tsx';
import { lastSeries } from './series.ts';

interface Props {
  result: RuleResult;
  data: PageData;
  observations: readonly Observation[];
}

export function RuleDetails({ result, data, observations }: Props) {
  const kept = exchangesOf(result.id);
  const exchanges = kept.filter(({ requirement }) => requirement === result.id);
  const broken = result.counterexample === undefined ? [] : shownExchanges(result.counterexample, kept);
  const plot = result.id.startsWith('metrics.') ? (lastSeries(broken) ?? lastSeries(exchanges)) : undefined;
  const known = data.report.knownFailures?.find(({ id }) => id === result.id);
  return (
    <div class="details">
      {known !== undefined && (
        <p>
          Known:{' '}
          {[known.reason, known.ticket, known.expires && `until ${known.expires}`]
            .filter(Boolean)
            .map(String)
            .map((text) => printable(text))
            .join(', ')}
        </p>
      )}
      {result.counterexample !== undefined && (
        <Failure id={result.id} counterexample={result.counterexample} exchanges={kept} />
      )}
      {plot !== undefined && <MetricsFigure plot={plot} />}
      {result.counterexample !== undefined && (
        <Repeat counterexample={result.counterexample} replay={data.replay[result.id] ?? ''} />
      )}
      {observations.length > 0 && <Observations observations={observations} />}
      <Facts result={result} data={data} />
      <ExchangeList exchanges={exchanges} all={result.exchanges} />
    </div>
  );
}

const Observations = ({ observations }: { observations: readonly Observation[] }) => (
  <table class="observations">
    <thead>
      <tr>
        <th scope="col">Asked</th>
        <th scope="col">Saw</th>
      </tr>
    </thead>
    <tbody>
      {observations.map(({ what, saw }, index) => (
        <tr key={index}>
          <td>{printable(what)}</td>
          <td>{printable(saw)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

function Facts({ result, data }: Omit<Props, 'observations'>) {
  const { needs = [], operations = [] } = data.catalogue[result.id] ?? {};
  return (
    <dl class="facts small">
      <div>
        <dt>Level</dt>
        <dd>{result.level}</dd>
      </div>
      {operations.length > 0 && (
        <div>
          <dt>Operations</dt>
          <dd class="code">{operations.join(', ')}</dd>
        </div>
      )}
      {needs.length > 0 && (
        <div>
          <dt>Needs</dt>
          <dd>{needs.join('; ')}</dd>
        </div>
      )}
      <div>
        <dt>Link</dt>
        <dd>
          <a href={`#${result.id}`}>#{result.id}</a>
        </dd>
      </div>
    </dl>
  );
}
