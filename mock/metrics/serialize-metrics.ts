/** Serializes the billing metrics as JSON with exact decimals. */
import { isBillingDimension, METER_KINDS, dimensionRow, microUsdPerTick } from './dimensions.ts';
import type { EntryField, GroupKey } from './groups.ts';
import {
  jsonBytes,
  longestDecimal,
  piecesOf,
  writeDecimal,
  writePiece,
  writeSeries,
  writeText,
  written,
  type JsonBytes,
  type Pieces,
} from './json-bytes.ts';
import type { Instant } from './meters.ts';
import type { Resolution } from './resolutions.ts';
import { printInstant, printInstants, type Window } from './windows.ts';

/** A part of the usage of all groups. */
export interface Total {
  /** '' if the groups are not those of billing dimensions. */
  readonly dimension: string;
  /** Micro-dollars over the window. */
  readonly cost: number;
}

export interface Entry {
  readonly key: GroupKey;
  /** Micro-dollars over the window. */
  readonly cost: number;
  /** Micro-dollars in each bucket. */
  readonly costs: Float64Array;
}

export interface MetricsPage {
  readonly window: Window;
  readonly resolution: Resolution;
  /** The fields of the keys, in order. */
  readonly fields: readonly EntryField[];
  readonly bucketStarts: readonly Instant[];
  /** All groups of the query, including those of other pages. */
  readonly totals: readonly Total[];
  /** Those of this page. */
  readonly entries: readonly Entry[];
  /** '' if this is the last page. */
  readonly nextCursor: string;
}

/** How cost is turned into usage: a tick's price, and its usage as decimal digits. */
interface Tick {
  readonly microUsd: number;
  readonly usageDigits: number;
  readonly usageDecimals: number;
}

interface Row extends Entry {
  /** The text before the entry's first number. */
  readonly opening: string;
  readonly tick: Tick | undefined;
}

const COST_DECIMALS = 6;
const MAX_USAGE_DECIMALS = 3;

export function serializeMetrics(page: MetricsPage): Buffer {
  const { window, resolution, fields, entries, nextCursor } = page;
  const head = [
    `{"startTime":"${printInstant(window.start)}","endTime":"${printInstant(window.end)}"`,
    `"resolution":"${resolution}","summary":${printTotals(page)},"data":[`,
  ].join(',');
  const tail = `],"meta":${JSON.stringify({ hasMore: nextCursor !== '', nextCursor })}}`;
  const rows = entries.map((entry, nth) => rowOf(fields, entry, nth));
  const pieces = itemPieces(page.bucketStarts);
  const out = jsonBytes(rows.reduce((sum, row) => sum + sizeOf(row, pieces), sizeOfText(head) + sizeOfText(tail)));
  writeText(out, head);
  for (const row of rows) writeRow(out, row, pieces);
  writeText(out, tail);
  return written(out);
}

function printTotals({ totals, fields }: MetricsPage): string {
  const totalCost = totals.reduce((sum, { cost }) => sum + cost, 0) / 10 ** COST_DECIMALS;
  if (!fields.includes('billingDimension')) return JSON.stringify({ totalCost });
  return `{"totalCost":${totalCost},"totalUsage":${printTotalUsage(totals)}}`;
}

/** The sum of usage over all dimensions and units. In thousandths it may exceed 2^53. */
function printTotalUsage(totals: readonly Total[]): string {
  const costs = new Map<string, number>();
  for (const { dimension, cost } of totals) costs.set(dimension, (costs.get(dimension) ?? 0) + cost);
  let thousandths = 0n;
  for (const [dimension, cost] of costs) {
    const tick = tickOf(dimension);
    if (tick !== undefined) {
      thousandths += BigInt(Math.round(usageOf(cost, tick))) * 10n ** BigInt(MAX_USAGE_DECIMALS - tick.usageDecimals);
    }
  }
  const digits = thousandths.toString().padStart(MAX_USAGE_DECIMALS + 1, '0');
  const fraction = digits.slice(-MAX_USAGE_DECIMALS).replace(/0+$/, '');
  const whole = digits.slice(0, -MAX_USAGE_DECIMALS);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The tick of a group's billing dimension. Undefined if the group mixes units and so has no usage. */
function tickOf(dimension: string | undefined): Tick | undefined {
  if (dimension === undefined || !isBillingDimension(dimension)) return undefined;
  return { microUsd: microUsdPerTick(dimension), ...METER_KINDS[dimensionRow(dimension).kind] };
}

/** Exact: cost is a whole number of ticks, each of the same price. */
function usageOf(cost: number, { microUsd, usageDigits: digitsPerTick }: Tick): number {
  return (cost / microUsd) * digitsPerTick;
}

function rowOf(fields: readonly EntryField[], entry: Entry, nth: number): Row {
  const tick = tickOf(entry.key[fields.indexOf('billingDimension')]);
  return { ...entry, opening: `${nth === 0 ? '' : ','}${openingOf(fields, entry.key)}`, tick };
}

/** An entry up to its summary's cost. Fields without a value, such as the uuid of a custom domain, are omitted. */
function openingOf(fields: readonly EntryField[], key: GroupKey): string {
  const filled = fields.map((field, at) => [field, key[at] ?? ''] as const).filter(([, value]) => value !== '');
  const members = filled.map(([field, value]) => `"${field}":${JSON.stringify(value)},`);
  return `{${members.join('')}"summary":{"cost":`;
}

/** The text before each cost of a timeseries, starting with the end of the previous item. */
function itemPieces(bucketStarts: readonly Instant[]): Pieces {
  return piecesOf(
    printInstants(bucketStarts).map((text, nth) => `${nth === 0 ? '' : '},'}{"timestamp":"${text}","cost":`),
  );
}

const AFTER_COST = piecesOf([',"usage":', '},"timeseries":[', '}]}', ']}']);
const USAGE = 0;
const TIMESERIES = 1;
const END = 2;
const END_OF_NONE = 3;

/** The buffer size for an entry. A close estimate, because touching new memory takes longer than writing. */
function sizeOf({ opening, cost, costs, tick }: Row, pieces: Pieces): number {
  // No bucket has more cost or usage than the entry.
  const usage = tick === undefined ? 0 : AFTER_COST.size + longestDecimal(usageOf(cost, tick));
  const values = (costs.length + 1) * (longestDecimal(cost) + usage);
  return sizeOfText(opening) + pieces.size + values + AFTER_COST.size;
}

/** UTF-8 has at most three bytes for a code unit. */
function sizeOfText(text: string): number {
  return 3 * text.length;
}

function writeRow(out: JsonBytes, { opening, cost, costs, tick }: Row, pieces: Pieces): void {
  writeText(out, opening);
  writeDecimal(out, cost, COST_DECIMALS);
  if (tick !== undefined) writeUsage(out, cost, tick);
  writePiece(out, AFTER_COST, TIMESERIES);
  if (tick === undefined) writeSeries(out, pieces, costs, COST_DECIMALS);
  else writeCostsAndUsages(out, costs, tick, pieces);
  writePiece(out, AFTER_COST, costs.length === 0 ? END_OF_NONE : END);
}

function writeCostsAndUsages(out: JsonBytes, costs: Float64Array, tick: Tick, pieces: Pieces): void {
  for (let bucket = 0; bucket < costs.length; bucket += 1) {
    writePiece(out, pieces, bucket);
    writeDecimal(out, costs[bucket] ?? 0, COST_DECIMALS);
    writeUsage(out, costs[bucket] ?? 0, tick);
  }
}

function writeUsage(out: JsonBytes, cost: number, tick: Tick): void {
  writePiece(out, AFTER_COST, USAGE);
  writeDecimal(out, usageOf(cost, tick), tick.usageDecimals);
}
