/** Reports what has one cause as one finding, such as a convention that a whole document does not follow. */
import { counted } from '../../spec/counted.ts';
import type { FindingPlace, LintedDocument, LintFinding, LintRule } from './finding.ts';
import { STRING_KEYS } from './string-keys.ts';

/** So many findings with one cause are separate ones; more are one. */
const MAX_SEPARATE = 3;
const MAX_EXAMPLES = 3;

/** Each finding in the order of its first place. */
export function groupByCause(linted: LintedDocument): LintedDocument {
  const groups = Map.groupBy(linted.findings, (each) => causeOf(each, linted.rules));
  const findings = linted.findings.flatMap((each) => {
    const cause = causeOf(each, linted.rules);
    const group = groups.get(cause) ?? [];
    if (group.length <= MAX_SEPARATE) return [each];
    return group[0] === each ? [merged(group, cause)] : [];
  });
  return { ...linted, findings };
}

function merged(group: readonly LintFinding[], cause: string): LintFinding {
  const [first, ...others] = group as [LintFinding, ...LintFinding[]];
  const isHere = ({ source }: LintFinding): boolean => source === first.source;
  const lines = others.filter(isHere).map(({ start }) => `${start.line}:${start.column}`);
  const examples = [...new Set(lines)].filter((each) => each !== `${first.start.line}:${first.start.column}`);
  const suchAs = examples.length === 0 ? '' : `, such as ${examples.slice(0, MAX_EXAMPLES).join(', ')}`;
  const message = `${first.message} The same applies ${counted(others.length, 'more time')}${suchAs}.`;
  return { ...first, message, cause, more: others.map(placeOf) };
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
  return `${rule} ${message.replaceAll(/\b[A-Z]{3,} \/\S*/g, 'the operation')}`;
}
