/** Reports what has one cause as one finding, such as a convention that a whole document does not follow. */
import { counted } from '../../spec/counted.ts';
import type { FindingPlace, LintedDocument, LintFinding, LintRule } from './finding.ts';
import { STRING_KEYS } from './string-keys.ts';

/** So many findings with one cause, at different positions, are separate ones; more are one. */
const MAX_SEPARATE = 3;
const MAX_EXAMPLES = 3;

/** In messages. */
const OPERATION = /\b[A-Z]{3,} \/\S*/g;

/** Each finding in the order of its first place. */
export function groupByCause(linted: LintedDocument): LintedDocument {
  const causes = linted.findings.map((each) => causeOf(each, linted.rules));
  const byCause = Map.groupBy(causes, (cause) => cause);
  /** Few findings of one cause are one only if they are at one position, such as in a component of several operations. */
  const keyOf = ({ source, start, end, message }: LintFinding, cause: string): string =>
    byCause.get(cause)!.length > MAX_SEPARATE
      ? cause
      : JSON.stringify([cause, withoutOperation(message), source, start, end]);
  const keys = linted.findings.map((each, index) => keyOf(each, causes[index]!));
  const groups = Map.groupBy(linted.findings.keys(), (index) => keys[index]!);
  const findings = [...groups.values()].map((indices) => {
    const group = indices.map((index) => linted.findings[index]!);
    return group.length === 1 ? group[0]! : merged(group, causes[indices[0]!]!);
  });
  return { ...linted, findings };
}

function merged(group: readonly LintFinding[], cause: string): LintFinding {
  const [first, ...others] = group as [LintFinding, ...LintFinding[]];
  const isHere = ({ source }: LintFinding): boolean => source === first.source;
  const lines = others.filter(isHere).map(({ start }) => `${start.line}:${start.column}`);
  const examples = [...new Set(lines)].filter((each) => each !== `${first.start.line}:${first.start.column}`);
  const suchAs = examples.length === 0 ? '' : `, such as ${examples.slice(0, MAX_EXAMPLES).join(', ')}`;
  const isElsewhere = examples.length > 0 || !others.every(isHere);
  const applies = (isElsewhere ? undefined : operationsOf(others)) ?? counted(others.length, 'more time') + suchAs;
  return { ...first, message: `${first.message} The same applies ${applies}.`, cause, more: others.map(placeOf) };
}

/** The operations that the messages name. Undefined if one names none. */
function operationsOf(findings: readonly LintFinding[]): string | undefined {
  const named = findings.map(({ message }) => message.match(OPERATION)?.[0]?.replace(/[.,:;]$/, ''));
  if (named.includes(undefined)) return undefined;
  const operations = [...new Set(named)];
  const rest = operations.length - MAX_EXAMPLES;
  return `to ${operations.slice(0, MAX_EXAMPLES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const placeOf = ({ message, pointer, source, start, end }: LintFinding): FindingPlace => ({
  message,
  pointer,
  source,
  start,
  end,
});

/** A rule about readability is one convention. Of the others, findings that differ only in the operation have one cause. */
function causeOf({ rule, severity, message, requirements }: LintFinding, rules: readonly LintRule[]): string {
  const isOwn = rules.find(({ id }) => id === rule)?.help !== undefined;
  if (rule === STRING_KEYS || (isOwn && severity !== 'error' && requirements.length === 0)) return rule;
  return `${rule} ${withoutOperation(message)}`;
}

const withoutOperation = (message: string): string => message.replaceAll(OPERATION, 'the operation');
