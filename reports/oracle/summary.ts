/** Renders the oracle's section of summary.md. */
import type { OracleExample, OracleReport } from '../../spec/oracle.ts';
import { codeSpan } from '../markdown.ts';
import { oracleLine } from './oracle-line.ts';

/** GitHub refuses summaries over 1 MiB. */
const MAX_LINES = 50;
const MAX_TEXT_LENGTH = 600;

export function oracleSummary(oracle: OracleReport): string {
  const { violations, disagreements, leftOut } = oracle;
  const reasons = Object.entries(leftOut).map(([reason, count]) => `${count} × ${reason}`);
  const lines = [
    ...violations.map(
      ({ requirement, rules = [], count, example }) =>
        `- ${[requirement, ...rules].map(codeSpan).join(', ')}: ${count} ×, ${exampleOf(example)}`,
    ),
    ...disagreements.map(({ blame, says, count, example }) => {
      const how = example === undefined ? '' : `, ${exampleOf(example)}`;
      return `- error in the ${blame}: ${truncatedCode(says)}, ${count} ×${how}`;
    }),
  ];
  const more = lines.length > MAX_LINES ? [`- … and ${lines.length - MAX_LINES} more in report.json`] : [];
  const head = ['### Oracle', '', oracleLine(oracle)];
  const skipped = reasons.length === 0 ? [] : ['', `Not checked: ${reasons.join(', ')}.`];
  const listed = lines.length === 0 ? [] : ['', ...lines.slice(0, MAX_LINES), ...more];
  return [...head, ...skipped, ...listed].join('\n');
}

function exampleOf({ prism, ours, curl }: OracleExample): string {
  const [first] = prism.length > 0 ? prism : ours;
  return `as ${truncatedCode(first === undefined ? '' : `${first.at || 'the body'}: ${first.says}`)} from ${truncatedCode(curl)}`;
}

const truncatedCode = (text: string): string =>
  codeSpan(text.length <= MAX_TEXT_LENGTH ? text : `${text.slice(0, MAX_TEXT_LENGTH)}…`);
