/** Turns what was compared into the report: redacted, with the script of each difference. */
import { COMPARISON_FORM } from '../../spec/formats/comparison.ts';
import type { ComparisonReport, ReportedDifference } from '../../spec/formats/comparison.ts';
import { reasonOf, type Alike } from '../../suites/compare/compare-responses.ts';
import type { Comparison } from '../../suites/compare/compare-targets.ts';
import { curlScript } from '../../suites/target/curl-script.ts';
import type { SentRequest } from '../../suites/target/exchange.ts';
import type { Redaction } from '../../suites/target/redaction.ts';
import { assayVersion } from '../command-line/package-info.ts';

export interface ReportedSide {
  readonly name: string;
  readonly management: string;
  readonly redaction: Redaction;
  /** If versions are compared. */
  readonly version?: string;
}

export interface RunFacts {
  readonly id: string;
  readonly seed: number;
  readonly startedAt: string;
  readonly complete: boolean;
}

export function comparisonReport(
  { operations, differences, alike, skipped }: Comparison,
  { a, b }: { readonly a: ReportedSide; readonly b: ReportedSide },
  run: RunFacts,
): ComparisonReport {
  const counts = [...operations].map(([operation, each]) => ({ operation, ...each }));
  const sum = (what: 'compared' | 'alike'): number => counts.reduce((total, each) => total + each[what], 0);
  // Two targets may have one name, such as two mocks or two versions.
  const sideOf = ({ name, management, version }: ReportedSide, letter: string): ComparisonReport['a'] => ({
    name: a.name === b.name ? `${name} (${version ?? letter})` : name,
    management,
    ...(version && { version }),
  });
  return {
    comparison: COMPARISON_FORM,
    run: { ...run, assay: assayVersion, endedAt: new Date().toISOString() },
    a: sideOf(a, 'A'),
    b: sideOf(b, 'B'),
    summary: { compared: sum('compared'), alike: sum('alike'), different: differences.length, known: 0 },
    operations: counts,
    differences: differences
      .toSorted((one, other) => Number(one.class === 'compatible') - Number(other.class === 'compatible'))
      .map((each) => reportedDifference(each, a.redaction, b.redaction)),
    sameBecause: [...alike]
      .map(([rule, { count, first }]) => ({
        rule,
        reason: reasonOf(rule),
        count,
        example: exampleOf(first, a.redaction, b.redaction),
      }))
      .toSorted((one, other) => other.count - one.count),
    skipped: [...skipped].map(([reason, count]) => ({ reason: a.redaction.text(b.redaction.text(reason)), count })),
  };
}

function reportedDifference(
  { operation, context, at, class: kind, broken, count, first, shrunk }: Comparison['differences'][number],
  a: Redaction,
  b: Redaction,
): ReportedDifference {
  const { difference } = first;
  return {
    operation,
    context,
    at,
    class: kind,
    rules: { a: [...broken.a], b: [...broken.b] },
    count,
    ...(difference.a !== undefined && { a: a.deep(difference.a) }),
    ...(difference.b !== undefined && { b: b.deep(difference.b) }),
    steps: shrunk.steps.map(([, step]) => ({ operation: step.operation, context: step.context })),
    repeated: shrunk.isRepeated,
    script: { a: scriptOf(shrunk.sent.a, a), b: scriptOf(shrunk.sent.b, b) },
  };
}

const scriptOf = (requests: readonly SentRequest[], { placeholders }: Redaction): string =>
  curlScript(
    requests.map((each) => [each]),
    placeholders,
  );

const MAX_EXAMPLE = 120;

function exampleOf({ operation, at, a, b }: Alike & { operation: string }, one: Redaction, other: Redaction): string {
  const short = (value: unknown): string => {
    const text = value === undefined ? '-' : JSON.stringify(value);
    return text.length > MAX_EXAMPLE ? `${text.slice(0, MAX_EXAMPLE)}…` : text;
  };
  return `${operation} ${at}: ${short(one.deep(a))} and ${short(other.deep(b))}`;
}
