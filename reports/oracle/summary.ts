/** The oracle's section of summary.md. */
import type { OracleExample, OracleReport } from '../../spec/oracle.ts';
import { codeSpan } from '../markdown.ts';
import { oracleLine } from './oracle-line.ts';

/** GitHub takes no summary of more than a megabyte. */
const MOST_LINES = 50;
const LONGEST_TEXT = 600;

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
      return `- ${blame} to blame: ${shown(says)}, ${count} ×${how}`;
    }),
  ];
  const more = lines.length > MOST_LINES ? [`- … and ${lines.length - MOST_LINES} more in report.json`] : [];
  const head = ['### Oracle', '', oracleLine(oracle)];
  const left = reasons.length === 0 ? [] : ['', `Not for it: ${reasons.join(', ')}.`];
  const told = lines.length === 0 ? [] : ['', ...lines.slice(0, MOST_LINES), ...more];
  return [...head, ...left, ...told].join('\n');
}

function exampleOf({ prism, ours, curl }: OracleExample): string {
  const [first] = prism.length > 0 ? prism : ours;
  return `as ${shown(first === undefined ? '' : `${first.at || 'the body'}: ${first.says}`)} from ${shown(curl)}`;
}

const shown = (text: string): string =>
  codeSpan(text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT)}…`);
