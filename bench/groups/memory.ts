/** The memory of a mock. */
import { bytesPerResource, residentBytesAfter } from '../memory.ts';
import { mixed } from '../requests.ts';
import { twoDecimals, type Row } from '../row.ts';

export async function rows(): Promise<Row[]> {
  return [await resourceMemoryRow(), await loadMemoryRow()];
}

async function resourceMemoryRow(): Promise<Row> {
  const kilobytes = (await bytesPerResource()) / 1000;
  return { what: 'memory of a resource of 0.5 kB JSON', measured: `${twoDecimals(kilobytes)} kB`, goal: '≤ 2 kB' };
}

const REQUESTS = 1_000_000;

async function loadMemoryRow(): Promise<Row> {
  const bytes = await residentBytesAfter(REQUESTS, mixed);
  return {
    what: 'memory after 1,000,000 mixed requests',
    measured: `${(bytes / 1e6).toFixed(0)} MB`,
    goal: '≤ 200 MB',
  };
}
