/** The time until a report opens in a browser. */
import { reportPageMilliseconds } from '../report-page.ts';
import type { Row } from '../row.ts';

export async function rows(): Promise<Row[]> {
  return [await reportPageRow()];
}

async function reportPageRow(): Promise<Row> {
  const milliseconds = await reportPageMilliseconds();
  const measured = milliseconds === undefined ? 'no browser was found' : `${milliseconds.toFixed(0)} ms`;
  return { what: 'report.html of 2,000 exchanges opens', measured, goal: '≤ 1000 ms' };
}
