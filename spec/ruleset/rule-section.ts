/** The documentation of a lint rule as Markdown, for the reference and for reports. */
import { stringify } from 'yaml';
import type { Rule } from './rules/rule.mjs';

/** Description, requirements, and examples; without a heading. */
export function ruleSection(rule: Rule): string {
  const { description, requirements, severity, example } = rule;
  const checked = requirements.map((each) => `\`${each}\``).join(', ');
  return [
    `${description} _${severity === 'error' ? 'Error' : 'Warning'}._`,
    ...(checked === '' ? [] : [`Checks ${checked}.`]),
    `Good:\n\n${part(example.at, example.good)}`,
    `Bad:\n\n${part(example.at, example.bad)}`,
  ].join('\n\n');
}

/** Formats part of a document as YAML, with its path. */
function part(at: readonly string[], value: unknown): string {
  const where = at.length === 0 ? 'the document' : at.join(' › ');
  const text = stringify(value, { lineWidth: 0, singleQuote: true }).replaceAll(/: null$/gm, ': # omitted');
  return `\`\`\`yaml\n# ${where}\n${text.trimEnd()}\n\`\`\``;
}
