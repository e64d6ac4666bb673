/** The time until a mock responds, and to add a world to it. */
import { twoDecimals, type Row } from '../row.ts';
import { startUp } from '../start-up.ts';
import { worldMilliseconds } from '../worlds.ts';

export async function rows(): Promise<Row[]> {
  return [await startUpRow(), await newWorldRow()];
}

async function startUpRow(): Promise<Row> {
  const { ratio, mockMilliseconds, bareMilliseconds } = await startUp();
  const measured = `${twoDecimals(ratio)}× (${mockMilliseconds.toFixed(0)} ms against ${bareMilliseconds.toFixed(0)} ms)`;
  return { what: 'start to first response', measured, goal: '≤ 2.5×' };
}

async function newWorldRow(): Promise<Row> {
  return { what: 'another world on a port', measured: `${(await worldMilliseconds()).toFixed(1)} ms`, goal: '≤ 5 ms' };
}
