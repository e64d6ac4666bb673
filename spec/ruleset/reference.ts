/** Writes the page of reference of the ruleset, `README.md` beside this file, from the rules themselves. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { topics } from './rules/index.mjs';
import type { Rule } from './rules/rule.mjs';

export const referenceFile = join(import.meta.dirname, 'README.md');

/** The whole page. */
export function reference(): string {
  const sections = topics.flatMap(({ topic, rules }) => [`## ${topic}`, ...rules.map(section)]);
  return `${[...OPENING, contents(), ...sections].join('\n\n')}\n`;
}

const OPENING = [
  '# Ruleset',
  '<!-- Written by npm run documents. -->',
  'The conventions of the interface as a [Spectral](https://github.com/stoplightio/spectral) ruleset. `assay lint DOCUMENT` runs it, and ' +
    "so does Spectral's own command, where further rules may stand beside it and some of these may be off:",
  '```yaml\n# .spectral.yaml\nextends: [./node_modules/@svc/assay/dist/spec/ruleset/index.mjs]\nrules:\n  operation-summary: off\n```',
  'A rule that stands for requirements of the catalogue is an error: a document that breaks it tells something else than the ' +
    'interface. The others are warnings. Whether a document is valid OpenAPI otherwise is not judged here.',
  'The examples are parts of documents; the line above each says where it stands. `fixtures/bad-documents/` has a whole document for ' +
    'each rule, which breaks that rule once and no other.',
];

function contents(): string {
  const links = (rules: readonly Rule[]) => rules.map(({ id }) => `[${id}](#${id})`).join(', ');
  return topics.map(({ topic, rules }) => `- ${topic}: ${links(rules)}`).join('\n');
}

function section(rule: Rule): string {
  const { id, says, requirements, severity, example } = rule;
  const stands = requirements.map((each) => `\`${each}\``).join(', ');
  return [
    `### ${id}`,
    `${says} _${severity === 'error' ? 'Error' : 'Warning'}._`,
    ...(stands === '' ? [] : [`Stands for ${stands}.`]),
    `Good:\n\n${part(example.at, example.good)}`,
    `Bad:\n\n${part(example.at, example.bad)}`,
  ].join('\n\n');
}

/** Part of a document as YAML, with the place where it stands. */
function part(at: readonly string[], value: unknown): string {
  const where = at.length === 0 ? 'the document' : at.join(' › ');
  const text = stringify(value, { lineWidth: 0, singleQuote: true }).replaceAll(/: null$/gm, ': # left out');
  return `\`\`\`yaml\n# ${where}\n${text.trimEnd()}\n\`\`\``;
}

if (import.meta.main) writeFileSync(referenceFile, reference());
