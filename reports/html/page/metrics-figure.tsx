/** The last timeseries of a metrics rule, as charts and as a table. */
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { escapeControls } from '../../printable.ts';
import { PLOT_FONT, widthOfLabels } from './plot-axis.ts';
import { bucketLabels } from './series.ts';
import type { MetricsPlot, Series } from './series.ts';

const HEIGHT = 180;
/** Half the width of the label of a bucket, which is centered below the right end of the chart. */
const HALF_LABEL = 40;

export function MetricsFigure({ plot }: { plot: MetricsPlot }) {
  const { exchange, series, hiddenGroupCount, whole } = plot;
  const notes = [
    ...(hiddenGroupCount > 0 ? [`${hiddenGroupCount} more groups are not in the chart`] : []),
    ...(whole ? [] : ['the chart shows only the recorded part of a truncated response']),
  ];
  return (
    <figure>
      <figcaption class="label">
        Response {exchange.number}, buckets in UTC{notes.map((note) => `; ${note}`)}
      </figcaption>
      {series.map((each) => (
        <Plot key={each.figure} series={each} />
      ))}
      {series.map((each) => (
        <Figures key={each.figure} series={each} />
      ))}
    </figure>
  );
}

const unitOf = { cost: 'Cost in USD', usage: 'Usage' } as const;

function Plot({ series }: { series: Series }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    let drawn = draw(series, element);
    const again = (): void => {
      drawn.destroy();
      drawn = draw(series, element);
    };
    const watching = ['resize', 'themechange'] as const;
    for (const event of watching) addEventListener(event, again);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    return () => {
      for (const event of watching) removeEventListener(event, again);
      matchMedia('(prefers-color-scheme: dark)').removeEventListener('change', again);
      drawn.destroy();
    };
  }, [series]);
  return (
    <div
      ref={place}
      class="plot"
      role="img"
      aria-label={`${unitOf[series.figure]}; the figures are in the table below`}
    />
  );
}

function draw({ figure, times, groups }: Series, element: HTMLElement): uPlot {
  const colour = (name: string): string => colourOf(element, name);
  const axis = {
    stroke: colour('--soft'),
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
    font: PLOT_FONT,
  };
  const alone = groups.length === 1;
  const bars = uPlot.paths.bars?.({ align: 1, size: [0.85, 60] });
  const options: uPlot.Options = {
    width: element.clientWidth,
    height: HEIGHT,
    padding: [null, HALF_LABEL, null, null],
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { y: false },
    legend: { show: !alone },
    scales: {
      // Makes room for the last bar, which starts at the end of the scale.
      x: { range: (_, first, last) => [first, alone ? last + bucketSeconds(times) : last] },
      y: { range: (_, low, high) => [Math.min(0, low), high > 0 ? high * 1.1 : 1] },
    },
    axes: [
      { ...axis, values: (_, seconds) => bucketLabels(seconds), space: 80, gap: 9 },
      { ...axis, label: unitOf[figure], labelFont: PLOT_FONT, size: widthOfLabels },
    ],
    series: [
      { value: '{YYYY}-{MM}-{DD} {HH}:{mm}' },
      ...groups.map(({ name }, index) => ({
        label: escapeControls(name),
        stroke: colour(`--series-${index + 1}`),
        ...(alone && bars !== undefined ? { fill: colour('--series-1'), paths: bars, width: 0 } : { width: 1.5 }),
        points: { show: !alone && times.length < 40 },
      })),
    ],
  };
  return new uPlot(options, [[...times], ...groups.map(({ values }) => [...values])], element);
}

const bucketSeconds = ([first = 0, second = first + 3600]: readonly number[]): number => second - first;

/** Resolves a CSS variable, because a canvas cannot. */
function colourOf(element: HTMLElement, variable: string): string {
  element.style.color = `var(${variable})`;
  const { color } = getComputedStyle(element);
  element.style.color = '';
  return color;
}

/** Rendered only while open. */
function Figures({ series: { figure, times, groups } }: { series: Series }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{unitOf[figure]} as a table</summary>
      {isOpen && (
        <div class="scroll" role="group" aria-label={`${unitOf[figure]} as a table`} tabIndex={0}>
          <table class="figures">
            <thead>
              <tr>
                <th scope="col">Bucket</th>
                {groups.map(({ name }, index) => (
                  <th scope="col" key={index}>
                    {escapeControls(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((time, row) => (
                <tr key={time}>
                  <th scope="row">{new Date(time * 1000).toISOString().slice(0, 16).replace('T', ' ')}</th>
                  {groups.map(({ values }, index) => (
                    <td key={index}>{values[row] ?? '–'}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
