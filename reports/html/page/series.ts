/** Finds the timeseries in a metrics response and converts them to the columns of a plot. */
import type { ExchangeRecord } from '../../../spec/verdicts.ts';
import { parseTruncatedJson } from './truncated-json.ts';

export interface Series {
  readonly figure: 'cost' | 'usage';
  /** Starts of buckets in seconds since 1970, ascending. */
  readonly times: readonly number[];
  /** One line per group; null for a bucket that the group does not have. */
  readonly groups: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

export interface MetricsPlot {
  readonly exchange: ExchangeRecord;
  readonly series: readonly Series[];
  /** Number of groups that are not in the chart. */
  readonly hiddenGroupCount: number;
  /** False if the recorded response is truncated. */
  readonly whole: boolean;
}

const MAX_GROUPS = 6;

interface Point {
  time: number;
  cost: unknown;
  usage: unknown;
}

/** Of the last exchange with a timeseries. */
export function lastSeries(exchanges: readonly ExchangeRecord[]): MetricsPlot | undefined {
  for (const exchange of exchanges.toReversed()) {
    const found = plotOf(exchange);
    if (found !== undefined) return found;
  }
  return undefined;
}

function plotOf(exchange: ExchangeRecord): MetricsPlot | undefined {
  const body = exchange.operation === 'getAccountMetrics' ? exchange.answer?.body : undefined;
  const read = parseTruncatedJson(body ?? '');
  const data = isFields(read?.value) ? read.value['data'] : undefined;
  if (read === undefined || !Array.isArray(data)) return undefined;
  const groups = data.filter(isFields).map((entry) => ({ name: nameOf(entry), points: pointsOf(entry) }));
  const drawn = groups.filter(({ points }) => points.length > 0).slice(0, MAX_GROUPS);
  const series = (['cost', 'usage'] as const)
    .map((figure) => columns(figure, drawn))
    .filter(({ groups: own }) => own.length > 0);
  return series.length === 0
    ? undefined
    : { exchange, series, hiddenGroupCount: groups.length - drawn.length, whole: read.whole };
}

const isFields = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The group's dimension values; a response without grouping has a single group. */
function nameOf(entry: Record<string, unknown>): string {
  const values = Object.values(entry).filter((value) => typeof value === 'string');
  return values.length === 0 ? 'everything' : values.join(' · ');
}

function pointsOf({ timeseries }: Record<string, unknown>): Point[] {
  const points = (Array.isArray(timeseries) ? timeseries : []).filter(isFields);
  return points
    .map(({ timestamp, cost, usage }) => ({ time: Date.parse(String(timestamp)) / 1000, cost, usage }))
    .filter(({ time }) => Number.isFinite(time));
}

function columns(figure: Series['figure'], drawn: readonly { name: string; points: readonly Point[] }[]): Series {
  const withFigure = drawn.filter(({ points }) => points.some((point) => typeof point[figure] === 'number'));
  const times = [...new Set(withFigure.flatMap(({ points }) => points.map(({ time }) => time)))].sort((a, b) => a - b);
  const groups = withFigure.map(({ name, points }) => {
    const byTime = new Map(points.map((point) => [point.time, point[figure]]));
    return { name, values: times.map((time) => numberOrNull(byTime.get(time))) };
  });
  return { figure, times, groups };
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** In UTC: dates if all buckets start at midnight; otherwise times, with the date below the first bucket of a day. */
export function bucketLabels(seconds: readonly number[]): string[] {
  const texts = seconds.map((each) => new Date(each * 1000).toISOString());
  const [day, clock] = [(text = '') => text.slice(0, 10), (text: string) => text.slice(11, 16)];
  if (texts.every((text) => clock(text) === '00:00')) return texts.map(day);
  return texts.map((text, index) =>
    day(text) === day(texts[index - 1]) ? clock(text) : `${clock(text)}\n${day(text)}`,
  );
}
