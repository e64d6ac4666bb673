/** The details of a rule: its failure, a chart of the timeseries, observations, and exchanges. */
import { listsRule } from '../../listed-failure.ts';
import type { Observation, RuleResult } from '../../../spec/verdicts.ts';
import type { PageData } from '../page-data.ts';
import { escapeControls } from '../../printable.ts';
import { relatedExchanges } from './counterexample.ts';
import { ExchangeList } from './exchange-list.tsx';
import { exchangesOf } from './exchanges-of.ts';
import { Failure, Reproduce } from './failure.tsx';
import { MetricsFigure } from './metrics-figure.tsx';
import { lastSeries } from './series.ts';

interface Props {
  result: RuleResult;
  data: PageData;
  observations: readonly Observation[];
}

export function RuleDetails({ result, data, observations }: Props) {
  const related = exchangesOf(result.id);
  const exchanges = related.filter(({ requirement }) => requirement === result.id);
  const failing = result.counterexample === undefined ? [] : relatedExchanges(result.counterexample, related);
  const plot = result.id.startsWith('metrics.') ? (lastSeries(failing) ?? lastSeries(exchanges)) : undefined;
  const known = data.report.knownFailures?.find((entry) => listsRule(entry, result.id));
  return (
    <div class="details">
      {known !== undefined && (
        <p>
          Known:{' '}
          {[known.reason, known.ticket, known.expires && `until ${known.expires}`]
            .filter(Boolean)
            .map(String)
            .map((text) => escapeControls(text))
            .join(', ')}
        </p>
      )}
      {result.counterexample !== undefined && (
        <Failure id={result.id} counterexample={result.counterexample} exchanges={related} />
      )}
      {plot !== undefined && <MetricsFigure plot={plot} />}
      {result.counterexample !== undefined && (
        <Reproduce counterexample={result.counterexample} replay={data.replay[result.id] ?? ''} />
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
        <th scope="col">What</th>
        <th scope="col">Observed</th>
      </tr>
    </thead>
    <tbody>
      {observations.map(({ what, saw }, index) => (
        <tr key={index}>
          <td>{escapeControls(what)}</td>
          <td>{escapeControls(saw)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

function Facts({ result, data }: Omit<Props, 'observations'>) {
  const { needs = [], operations = [], sources = [] } = data.catalogue[result.id] ?? {};
  const quoted = result.counterexample?.sources ?? sources;
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
      {quoted.length > 0 && (
        <div>
          <dt>Source</dt>
          {quoted.map((source) => (
            <dd key={source}>{source}</dd>
          ))}
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
