/** The cost over the window: bars for one group, lines for several. */
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { PLOT_FONT, widthOfLabels } from './plot-axis.ts';
import type { Series } from './series.ts';

const HEIGHT = 260;
const dark = matchMedia('(prefers-color-scheme: dark)');

export function MetricsPlot({ series }: { series: Series }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null || series.groups.length === 0) return undefined;
    let plot = draw(series, element);
    const redraw = (): void => {
      plot.destroy();
      plot = draw(series, element);
    };
    const resizing = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    resizing.observe(element);
    dark.addEventListener('change', redraw);
    return () => {
      resizing.disconnect();
      dark.removeEventListener('change', redraw);
      plot.destroy();
    };
  }, [series]);
  const names = series.groups.map(({ name }) => name).join(', ');
  return (
    <div
      ref={place}
      class="plot"
      role="img"
      aria-label={`Cost over time of ${names}; the table below lists the totals`}
    />
  );
}

function draw({ times, groups }: Series, element: HTMLElement): uPlot {
  const color = (name: string): string => colorOf(element, name);
  const axis = {
    stroke: color('--soft'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
    font: PLOT_FONT,
  };
  const isSingle = groups.length === 1;
  const bars = uPlot.paths.bars?.({ align: 1, size: [0.85, 60] });
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false },
    legend: { show: false },
    scales: {
      // Makes room for the last bar.
      x: { range: (_, first, last) => [first, isSingle ? last + bucketSeconds(times) : last] },
      y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.1 : 1] },
    },
    axes: [
      { ...axis, space: 80, size: 34, gap: 9, values: (_, seconds) => seconds.map((each) => tickOf(each, times)) },
      { ...axis, size: widthOfLabels, values: (_, costs) => costs.map((cost) => `$${cost}`) },
    ],
    series: [
      {},
      ...groups.map(({ name }, index) => ({
        label: name,
        stroke: color(`--series-${index + 1}`),
        points: { show: false },
        ...(isSingle && bars !== undefined ? { fill: color('--series-1'), paths: bars, width: 0 } : { width: 2 }),
      })),
    ],
  };
  return new uPlot(options, [[...times], ...groups.map(({ costs }) => [...costs])], element);
}

const bucketSeconds = ([first = 0, second = first + 3600]: readonly number[]): number => second - first;

const timeZone = 'UTC';
const dayOf = new Intl.DateTimeFormat('en', { timeZone, day: 'numeric', month: 'short' });
const monthOf = new Intl.DateTimeFormat('en', { timeZone, month: 'short', year: 'numeric' });

/** Times for windows of up to three days, months for more than 300 days, otherwise days. */
function tickOf(seconds: number, times: readonly number[]): string {
  const days = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 86_400;
  const date = new Date(seconds * 1000);
  if (days <= 3) return date.toISOString().slice(11, 16);
  return days > 300 ? monthOf.format(date) : dayOf.format(date);
}

/** A canvas does not support CSS variables. */
function colorOf(element: HTMLElement, variable: string): string {
  element.style.color = `var(${variable})`;
  return getComputedStyle(element).color;
}
