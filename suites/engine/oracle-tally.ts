/** Counts the oracle's findings in the exchanges of one case, and compares them with our own validator's. */
import { responseRequirements } from '../../spec/coverage/part-requirements.ts';
import type { UncheckedReason, OracleExample, OracleMisfit, OracleTally } from '../../spec/oracle.ts';
import type { SelfCheck } from '../../spec/prism/self-check.ts';
import type { BothReadings, Reading } from './oracle.ts';
import type { Exchange } from '../target/exchange.ts';

/** Grows while the case runs. */
export interface OracleCount {
  checked: number;
  requests: number;
  nothingToSay: number;
  leftOut: Partial<Record<UncheckedReason, number>>;
  /** Keyed by all fields of a misfit except its count and example. */
  misfits: Map<string, OracleMisfit>;
}

export const newOracleCount = (): OracleCount => ({
  checked: 0,
  requests: 0,
  nothingToSay: 0,
  leftOut: {},
  misfits: new Map(),
});

/** Creates the details of an example. Only called for misfits. */
type Describe = () => Pick<OracleExample, 'requirement' | 'curl'>;

export function countSkipped(count: OracleCount, reason: UncheckedReason): void {
  count.leftOut[reason] = (count.leftOut[reason] ?? 0) + 1;
}

export function countResponse(count: OracleCount, exchange: Exchange, reading: Reading, describe: Describe): void {
  if ('leftOut' in reading) return countSkipped(count, reading.leftOut);
  const { promised, ours, prism } = reading;
  if (promised === undefined) count.nothingToSay += 1;
  else count.checked += 1;
  countMisfit(count, { of: 'answer', ...(promised && { promised }) }, exchange, { ours, prism }, describe);
}

/** A request that both validators reject is intentionally invalid. Only differences are reported. */
export function countRequest(
  count: OracleCount,
  exchange: Exchange,
  readings: BothReadings | undefined,
  describe: Describe,
): void {
  if (readings === undefined) return;
  count.requests += 1;
  if (readersOf(readings) !== 'both') countMisfit(count, { of: 'request' }, exchange, readings, describe);
}

function countMisfit(
  count: OracleCount,
  subject: Pick<OracleMisfit, 'of' | 'promised'>,
  { operation, response: { status } }: Exchange,
  readings: BothReadings,
  describe: Describe,
): void {
  const readers = readersOf(readings);
  if (readers === undefined || operation === undefined) return;
  const found = [...readings.ours, ...readings.prism];
  const rules = subject.of === 'answer' ? responseRequirements(operation, status, found) : [];
  const key = [subject.of, subject.promised, readers, operation, status, ...rules].join(' ');
  const known = count.misfits.get(key);
  const candidate: OracleExample = { ...describe(), ...readings };
  const example = known !== undefined && known.example.curl.length <= candidate.curl.length ? known.example : candidate;
  count.misfits.set(key, { ...subject, readers, operation, status, rules, count: (known?.count ?? 0) + 1, example });
}

/** The validators with findings. Undefined if neither has any. */
function readersOf({ ours, prism }: BothReadings): OracleMisfit['readers'] | undefined {
  if (ours.length === 0) return prism.length === 0 ? undefined : 'prism';
  return prism.length === 0 ? 'ours' : 'both';
}

export const toOracleTally = ({ misfits, ...counts }: OracleCount, canaries: SelfCheck | undefined): OracleTally => ({
  ...(canaries && { canaries }),
  ...counts,
  misfits: [...misfits.values()],
});
