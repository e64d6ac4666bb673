/** Marks the lines of a response body that violate a schema or differ from what a counterexample expects. */
import type { Counterexample } from '../../../spec/verdicts.ts';
import type { ShapeFinding } from '../../../spec/shape-finding.ts';
import { unexpectedWords } from './counterexample.ts';
import { fieldsNamedIn } from './named-fields.ts';
import type { Field } from './named-fields.ts';
import type { JsonLine } from './json-lines.ts';

export interface BodyLine extends JsonLine {
  readonly isMarked: boolean;
}

/** Absent fields that the counterexample names get a line of their own. */
export function annotateLines(
  lines: readonly JsonLine[],
  findings: readonly ShapeFinding[],
  counterexample?: Counterexample,
): BodyLine[] {
  const violating = lines.filter(({ at }) => at !== undefined && findings.some((finding) => finding.at === at));
  const marked = new Set([
    ...violating,
    ...(counterexample === undefined ? [] : differingLines(lines, counterexample)),
  ]);
  const annotated = lines.map((line) => ({ ...line, isMarked: marked.has(line) }));
  return counterexample === undefined ? annotated : insertAbsent(annotated, counterexample);
}

/** The lines of named fields, if possible only those with an unexpected value; otherwise all lines with an unexpected value. */
function differingLines(lines: readonly JsonLine[], counterexample: Counterexample): readonly JsonLine[] {
  const words = unexpectedWords(counterexample);
  const hasUnexpectedValue = ({ value }: JsonLine): boolean =>
    value !== undefined && value !== null && String(value).length > 1 && words.has(String(value));
  const fields = fieldsNamedIn(counterexample);
  const named = lines.filter(({ at }) => at !== undefined && fields.some((field) => isAt(field, at)));
  const namedAndUnexpected = named.filter(hasUnexpectedValue);
  if (namedAndUnexpected.length > 0) return namedAndUnexpected;
  return named.length > 0 && named.length <= MAX_NAMED ? named : lines.filter(hasUnexpectedValue);
}

/** More lines with the same field name say nothing about which of them is meant. */
const MAX_NAMED = 5;

/** Whether the pointer ends with the names of the field. */
const isAt = (field: Field, pointer: string): boolean => pointer.endsWith(`/${field.join('/')}`);

function insertAbsent(lines: readonly BodyLine[], counterexample: Counterexample): BodyLine[] {
  const [root] = lines;
  if (root?.text !== '{' || !/\babsent\b/.test(counterexample.actual)) return [...lines];
  const absent = fieldsNamedIn(counterexample).filter((field) => !lines.some(({ at = '' }) => isAt(field, at)));
  const notes = absent.map((field) => {
    const parent = deepestParent(lines, field);
    const name = field.slice(pointerDepth(parent.at ?? '')).join('.');
    return { parent, line: { depth: parent.depth + 1, text: `"${name}" is absent`, isMarked: true } };
  });
  return lines.flatMap((line) => [line, ...notes.filter(({ parent }) => parent === line).map((note) => note.line)]);
}

/** The object in which the field would be, as far as its parents are there. */
function deepestParent(lines: readonly BodyLine[], field: Field): BodyLine {
  const pointers = field.map((_, depth) => ['', ...field.slice(0, depth)].join('/')).toReversed();
  const parents = pointers.map((pointer) => lines.find(({ at, text }) => at === pointer && /[[{]$/.test(text)));
  return parents.find((line) => line !== undefined) ?? (lines[0] as BodyLine);
}

const pointerDepth = (pointer: string): number => pointer.split('/').length - 1;
