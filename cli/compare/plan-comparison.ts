/** `assay compare --plan`: what the comparison would send, counted on two mocks. Sends nothing to the targets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import { allowLevels, type Allow } from '../../spec/formats/target-values.ts';
import { counted } from '../../spec/counted.ts';
import { earliestStable } from '../../spec/versions.ts';
import { operation } from '../../spec/operations.ts';
import { startMock } from '../../mock/start-mock.ts';
import { escapeControls } from '../../reports/printable.ts';
import { areOneTarget } from '../../suites/compare/compare-targets.ts';
import { MAX_SHRINKING_REQUESTS } from '../../suites/compare/shrink.ts';
import { compareOnline, SHRINK_COUNT, type CompareOptions, type NamedTarget } from './compare-online.ts';
import { comparedFile } from './compared-mock.ts';

type Targets = Readonly<Record<'a' | 'b', NamedTarget>>;
type PlanOptions = Omit<CompareOptions, 'folder' | 'say' | 'time'>;

/** Returns the text, with a line feed at its end. */
export async function planComparison(
  { a, b }: Targets,
  options: PlanOptions,
  interrupted: AbortSignal,
): Promise<string> {
  const allow = allowLevels[Math.min(...[a, b].map(({ file }) => allowLevels.indexOf(file.allow ?? 'read')))]!;
  const isOneTarget = areOneTarget(a.file, b.file);
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-plan-'));
  try {
    await using one = await startMock();
    await using other = await startMock();
    // The mocks have one version: what is sent to another one is the same.
    const version = a.version === undefined ? {} : { version: earliestStable };
    // What is there for both sides is not deleted.
    const rights = allow === 'destroy' && isOneTarget ? 'write' : allow;
    const fileOf = (mock: typeof one): NamedTarget => ({ file: comparedFile(mock, rights), ...version });
    const silent = { ...options, folder, say: () => {} };
    const report = await compareOnline({ a: fileOf(one), b: fileOf(other) }, silent, interrupted);
    return planText([a, b].map(nameOf), allow, options, report);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const nameOf = ({ file, name, version }: NamedTarget): string =>
  escapeControls([file.name ?? name ?? 'the mock', ...(version === undefined ? [] : [`(${version})`])].join(' '));

function planText(
  names: readonly string[],
  allow: Allow,
  { seed, budget, patienceSeconds }: PlanOptions,
  { operations, summary }: ComparisonReport,
): string {
  const rows = operations
    .toSorted((one, next) => next.compared - one.compared)
    .map((each) => ({ ...operation(each.operation), count: each.compared }));
  const creates = rows.filter(({ method, surface }) => method === 'POST' && surface === 'management');
  return [
    `Plan of a comparison of ${names.join(' and ')}, allow: ${allow}, seed ${seed}.`,
    '',
    ...rows.map(({ count, method, path: address }) => `${String(count).padStart(5)}  ${method} ${address}`),
    '',
    `${counted(summary.compared, 'request')} to each target, as counted on two mocks: a target that responds differently gets others.`,
    `Shortening the first ${SHRINK_COUNT} differences takes at most ${MAX_SHRINKING_REQUESTS} more for each. A read that differs is repeated for ${patienceSeconds} s.`,
    allow === 'read' || creates.length === 0
      ? 'Nothing is created or changed.'
      : `Everything that is created has the prefix of the run and is removed at the end; at most ${budget} of them may be such that a target cannot remove.`,
    'Nothing was sent to the targets.',
    '',
  ].join('\n');
}
