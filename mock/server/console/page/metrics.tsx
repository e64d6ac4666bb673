/** The account's metrics from the mock's API: a plot and a table of groups. */
import { useEffect, useState } from 'preact/hooks';
import type { AccountMetricsResponse } from '../../../../spec/generated/types.ts';
import { datesOf, metricsOf, errorText } from './metrics-request.ts';
import type { MetricsQuery } from './metrics-request.ts';
import { MetricsControls } from './metrics-controls.tsx';
import { MetricsGroups } from './metrics-groups.tsx';
import { MetricsPlot } from './metrics-plot.tsx';
import { useMock } from './mock-state.ts';
import { seriesOf } from './series.ts';
import { counted, day, escapeInvisible, usd } from './format.ts';

export function Metrics() {
  const { target, clock } = useMock();
  const [query, setQuery] = useState<MetricsQuery>(() => ({
    groupBy: ['resource_type'],
    resolution: '',
    window: 'month',
    ...lastMonth(clock.now),
  }));
  const [response, setResponse] = useState<AccountMetricsResponse>();
  const [error, setError] = useState<string>();
  const { account = '' } = target;

  const loadMetrics = (): (() => void) => {
    let isStale = false;
    const show = (loaded: AccountMetricsResponse | undefined, message: string | undefined): void => {
      if (isStale) return;
      setResponse(loaded);
      setError(message);
    };
    metricsOf(account, datesOf(query, clock.now), query).then(
      (loaded) => show(loaded, undefined),
      (failure: unknown) => show(undefined, errorText(failure)),
    );
    return () => (isStale = true);
  };
  useEffect(loadMetrics, [query, account]);

  return (
    <>
      <MetricsControls
        query={query}
        change={(part) => setQuery({ ...query, ...part })}
        reload={() => void loadMetrics()}
      />
      {error !== undefined && (
        <p class="notice refusal" role="alert">
          {escapeInvisible(error)}
        </p>
      )}
      {response !== undefined && <MetricsFigure response={response} groupBy={query.groupBy} />}
    </>
  );
}

/** The first day of the last whole month, and of the month after it. */
function lastMonth(now: string): { start: string; end: string } {
  const date = new Date(now);
  const first = (monthsBack: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBack, 1)).toISOString().slice(0, 10);
  return { start: first(1), end: first(0) };
}

function MetricsFigure({ response, groupBy }: { response: AccountMetricsResponse; groupBy: readonly string[] }) {
  const { summary, resolution, startTime, endTime, data, meta } = response;
  const series = seriesOf(data);
  return (
    <figure class="metrics">
      <figcaption>
        <strong class="total">{usd(summary.totalCost)}</strong>
        <span class="soft">
          {day(startTime)} to {day(endTime)} UTC, {resolution}, {counted(data.length, 'group')}
          {meta.hasMore && ' on the first page'}
        </span>
      </figcaption>
      <MetricsPlot series={series} />
      <MetricsGroups data={data} plottedCount={series.groups.length} groupBy={groupBy} />
    </figure>
  );
}
