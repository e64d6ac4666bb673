/** The account's metrics from the mock's API: a plot and a table of groups. */
import { useEffect, useState } from 'preact/hooks';
import type { AccountMetricsResponse } from '../../../../spec/generated/types.ts';
import { datesOf, metricsOf, refusalOf } from './metrics-request.ts';
import type { Question } from './metrics-request.ts';
import { MetricsControls } from './metrics-controls.tsx';
import { MetricsGroups } from './metrics-groups.tsx';
import { MetricsPlot } from './metrics-plot.tsx';
import { useMock } from './mock-state.ts';
import { seriesOf } from './series.ts';
import { counted, day, escapeInvisible, usd } from './format.ts';
import { adminToken } from './target-value.ts';

export function Metrics() {
  const { target, clock } = useMock();
  const [question, setQuestion] = useState<Question>(() => ({
    groupBy: ['resource_type'],
    resolution: '',
    window: 'month',
    ...ownDates(clock.now),
  }));
  const [answer, setAnswer] = useState<AccountMetricsResponse>();
  const [refusal, setRefusal] = useState<string>();
  const { account = '' } = target;

  const askMetrics = (): (() => void) => {
    let isLate = false;
    const show = (said: AccountMetricsResponse | undefined, why: string | undefined): void => {
      if (isLate) return;
      setAnswer(said);
      setRefusal(why);
    };
    metricsOf(account, adminToken(target), datesOf(question, clock.now), question).then(
      (said) => show(said, undefined),
      (error: unknown) => show(undefined, refusalOf(error)),
    );
    return () => (isLate = true);
  };
  useEffect(askMetrics, [question, account]);

  return (
    <>
      <MetricsControls
        question={question}
        change={(part) => setQuestion({ ...question, ...part })}
        again={() => void askMetrics()}
      />
      {refusal !== undefined && (
        <p class="notice refusal" role="alert">
          {escapeInvisible(refusal)}
        </p>
      )}
      {answer !== undefined && <Answer answer={answer} groupBy={question.groupBy} />}
    </>
  );
}

/** The last whole month. */
function ownDates(now: string): { start: string; end: string } {
  const date = new Date(now);
  const first = (monthsBack: number) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBack, 1)).toISOString().slice(0, 10);
  return { start: first(1), end: first(0) };
}

function Answer({ answer, groupBy }: { answer: AccountMetricsResponse; groupBy: readonly string[] }) {
  const { summary, resolution, startTime, endTime, data, meta } = answer;
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
      <MetricsGroups data={data} drawn={series.groups.length} groupBy={groupBy} />
    </figure>
  );
}
