/** What all formats print of a comparison: sentences and texts of its differences. */
import type { ComparisonReport, ReportedDifference } from '../../spec/formats/comparison.ts';
import { counted } from '../../spec/counted.ts';

export function titleOf({ operation, at, context }: ReportedDifference): string {
  const where = context === 'any' || context === 'valid' ? '' : ` (${context})`;
  if (at === 'operation') return `${operation}: only one target has it`;
  return `${operation}${where}: ${at}`;
}

/** `a` and `b` are the names of the targets. */
export function classSentence({ class: kind, rules }: ReportedDifference, { a, b }: ComparisonReport): string {
  const broken = (name: string, ids: readonly string[]): string => `${name} breaks ${ids.join(', ')}`;
  if (kind === 'breaking') return 'Breaking: a client that works with the first version may fail with the second.';
  if (kind === 'compatible') return 'Compatible: the second version adds it, or accepts more.';
  if (kind === 'observation') return 'Both keep all rules: the interface does not say.';
  if (kind === 'a-breaks') return `${broken(a.name, rules.a)}.`;
  if (kind === 'b-breaks') return `${broken(b.name, rules.b)}.`;
  return `${broken(a.name, rules.a)}; ${broken(b.name, rules.b)}.`;
}

export function countSentence({ count, steps, repeated }: ReportedDifference): string {
  const sequence = repeated ? `seen again with ${counted(steps.length, 'request')}` : 'not repeated';
  return `${counted(count, 'exchange')}, ${sequence}`;
}

const MAX_LENGTH = 300;

/** As JSON; `-` if there is none. */
export function valueText(value: unknown): string {
  const text = value === undefined ? '-' : JSON.stringify(value);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH)}…`;
}

export function verdictOf({ a, b, run, summary }: ComparisonReport): string {
  const { compared, different, known } = summary;
  const accepted = known === 0 ? '' : `, ${counted(known, 'known difference')}`;
  const names = `${a.name} and ${b.name}`;
  if (!run.complete) return `Not complete: ${names}, ${counted(compared, 'exchange')} compared.`;
  if (compared === 0) return `Nothing was compared: ${names}.`;
  if (different === 0) return `No difference${accepted}: ${names}, ${counted(compared, 'exchange')} compared.`;
  return `${counted(different, 'difference')}${accepted}: ${names}, ${counted(compared, 'exchange')} compared.`;
}

/** The share of compared exchanges that are alike, in percent with one digit; rounded down, so that 100 means all. */
export const fidelityOf = ({ compared, alike }: Share): number =>
  compared === 0 ? 0 : Math.floor((alike / compared) * 1000) / 10;

interface Share {
  readonly compared: number;
  readonly alike: number;
}

/** The lowest share first. */
export const byFidelity = <A extends Share>(operations: readonly A[]): A[] =>
  operations.toSorted((one, other) => fidelityOf(one) - fidelityOf(other));

export const isSame = ({ summary }: ComparisonReport): boolean => summary.different === 0 && summary.compared > 0;

/** 3 if it is not complete, or nothing was compared. */
export const exitCodeOf = (report: ComparisonReport): 0 | 1 | 3 =>
  report.summary.different > 0 ? 1 : report.run.complete && report.summary.compared > 0 ? 0 : 3;
