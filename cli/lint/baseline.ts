/** Baselines: known findings are omitted, so that only new ones are reported. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { parseJson } from '../../spec/files/parse-json.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { TooComplex } from '../../spec/files/too-complex.ts';
import type { BaselineEntry, LintedDocument, LintFinding, LintReport } from './finding.ts';

/** Why a file is no baseline, as a sentence. */
export class UnusableBaseline extends Error {}

/** The text of a baseline of all these findings. */
export function baselineText(documents: readonly LintedDocument[]): string {
  const entries = documents.flatMap(({ document, findings }) =>
    findings.filter(canBeInBaseline).map((each) => entryOf(each, document)),
  );
  const sorted = entries.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  return `${JSON.stringify({ baseline: 1, findings: sorted }, null, 2)}\n`;
}

const MAX_BASELINE_BYTES = 32 * 1024 * 1024;

/** Throws UnusableBaseline. */
export function readBaseline(file: string): BaselineEntry[] {
  const form = 'Expected a file written by assay lint --write-baseline.';
  let content: { baseline?: unknown; findings?: unknown } | null;
  try {
    content = parseJson(readTextFile(file, MAX_BASELINE_BYTES, { mayBePipe: true })) as typeof content;
  } catch (error) {
    throw new UnusableBaseline(`baseline ${file}: It ${describeProblem(error)} ${form}`);
  }
  const entries = content?.findings;
  if (content?.baseline !== 1 || !Array.isArray(entries) || !entries.every(isEntry)) {
    throw new UnusableBaseline(`baseline ${file}: It is not a baseline. ${form}`);
  }
  return entries;
}

function describeProblem(error: unknown): string {
  if (error instanceof SyntaxError) return `is not JSON: ${error.message}.`;
  return error instanceof TooComplex ? `cannot be used: ${error.message}` : `${describeFileError(error)}.`;
}

const isEntry = (value: unknown): value is BaselineEntry =>
  ['rule', 'at', 'message'].every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'string');

/** An entry covers one finding: of three equal ones, a baseline of two leaves one. */
export function removeKnownFindings(
  documents: readonly LintedDocument[],
  baseline: readonly BaselineEntry[],
): Pick<LintReport, 'documents' | 'known' | 'stale'> {
  const left = new Map<string, BaselineEntry[]>();
  for (const entry of baseline) left.set(keyOf(entry), [...(left.get(keyOf(entry)) ?? []), entry]);
  const isNew = (finding: LintFinding, document: string) =>
    !canBeInBaseline(finding) || left.get(keyOf(entryOf(finding, document)))?.pop() === undefined;
  const fresh = documents.map((each) => ({
    ...each,
    findings: each.findings.filter((one) => isNew(one, each.document)),
  }));
  const unused = [...left.values()].flat();
  const isWhole = documents.every(({ findings }) => findings.every(canBeInBaseline));
  return { documents: fresh, known: baseline.length - unused.length, stale: isWhole ? unused : [] };
}

/** The other findings of a document that cannot be read are unknown. */
export const canBeInBaseline = ({ rule }: LintFinding): boolean => rule !== 'parser';

export const keyOf = ({ rule, at, message }: BaselineEntry): string => `${rule}\n${at}\n${message}`;

/** Places in lists move when something is put in before them, so they do not count. */
export function entryOf({ rule, pointer, message, source }: LintFinding, document: string): BaselineEntry {
  const folder = document.slice(0, document.lastIndexOf('/') + 1);
  const file = source.startsWith(folder) ? source.slice(folder.length) : source;
  return { rule, at: `${source === document ? '' : file}#${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')}`, message };
}
