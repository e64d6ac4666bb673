/** Counts what the oracle made of the exchanges of one case, beside what our own reader made of them. */
import type { LeftOut, OracleExample, OracleMisfit, OracleTally } from '../spec/oracle.ts';
import type { Canaries } from '../spec/prism/canaries.ts';
import type { ShapeFinding } from '../spec/verdicts.ts';
import type { BothReadings, Reading } from './oracle.ts';
import type { Exchange } from './target/exchange.ts';

/** Grows while the case runs. */
export interface OracleCount {
  checked: number;
  requests: number;
  nothingToSay: number;
  leftOut: Partial<Record<LeftOut, number>>;
  /** By what it is of, readers, operation and status. */
  misfits: Map<string, OracleMisfit>;
}

export const newOracleCount = (): OracleCount => ({
  checked: 0,
  requests: 0,
  nothingToSay: 0,
  leftOut: {},
  misfits: new Map(),
});

/** Makes what an example tells beside the findings; called for misfits only. */
type Describe = () => Pick<OracleExample, 'requirement' | 'curl'>;

export function countLeftOut(count: OracleCount, reason: LeftOut): void {
  count.leftOut[reason] = (count.leftOut[reason] ?? 0) + 1;
}

export function countAnswer(count: OracleCount, exchange: Exchange, reading: Reading, describe: Describe): void {
  if ('leftOut' in reading) return countLeftOut(count, reading.leftOut);
  const { found } = reading;
  if (found === undefined) count.nothingToSay += 1;
  else count.checked += 1;
  countMisfit(count, 'answer', exchange, { ours: exchange.shape.map(shown), prism: found ?? [] }, describe);
}

/** A request that both readers find wrong was meant to be: only where they differ is it told. */
export function countRequest(
  count: OracleCount,
  exchange: Exchange,
  readings: BothReadings | undefined,
  describe: Describe,
): void {
  if (readings === undefined) return;
  count.requests += 1;
  if (readersOf(readings) !== 'both') countMisfit(count, 'request', exchange, readings, describe);
}

const shown = ({ at, says }: ShapeFinding): ShapeFinding => ({ at, says });

function countMisfit(
  count: OracleCount,
  of: OracleMisfit['of'],
  { operation, answer: { status } }: Exchange,
  readings: BothReadings,
  describe: Describe,
): void {
  const readers = readersOf(readings);
  if (readers === undefined || operation === undefined) return;
  const key = `${of} ${readers} ${operation} ${status}`;
  const known = count.misfits.get(key);
  const found: OracleExample = { ...describe(), ...readings };
  const example = known !== undefined && known.example.curl.length <= found.curl.length ? known.example : found;
  count.misfits.set(key, { of, readers, operation, status, count: (known?.count ?? 0) + 1, example });
}

/** Who finds something wrong; undefined where nobody does. */
function readersOf({ ours, prism }: BothReadings): OracleMisfit['readers'] | undefined {
  if (ours.length === 0) return prism.length === 0 ? undefined : 'prism';
  return prism.length === 0 ? 'ours' : 'both';
}

export const tallied = ({ misfits, ...counts }: OracleCount, canaries: Canaries | undefined): OracleTally => ({
  ...(canaries && { canaries }),
  ...counts,
  misfits: [...misfits.values()],
});
