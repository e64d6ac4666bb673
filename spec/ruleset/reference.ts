/** Generates the reference of the ruleset, `README.md` in this folder, from the rules. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ruleSection } from './rule-section.ts';
import { topics } from './rules/index.mjs';
import type { Rule } from './rules/rule.mjs';

export const referenceFile = join(import.meta.dirname, 'README.md');

/** Returns the page as Markdown. */
export function reference(): string {
  const sections = topics.flatMap(({ topic, rules }) => [`## ${topic}`, ...rules.map(section)]);
  return `${[...OPENING, contents(), ...sections].join('\n\n')}\n`;
}

const OPENING = [
  '# Ruleset',
  '<!-- Written by npm run documents. -->',
  `The conventions of the interface as a [Spectral](https://github.com/stoplightio/spectral) ruleset.
\`assay lint DOCUMENT\` runs it. A ruleset of your own can extend it, add rules, and turn rules off:
\`assay lint DOCUMENT --ruleset team.yaml\`. Spectral's own command accepts the same file, without \`--ruleset\` if its name
is \`.spectral.yaml\`.`,
  "```yaml\n# team.yaml\nextends: ['@svc/assay/ruleset']\nrules:\n  operation-summary: off\n```",
  `Rules that check requirements of the catalogue are errors, because a document that violates one contradicts the
interface. Rules for parts that every tool ignores are errors too. All other rules are warnings. The ruleset does not
check whether a document is otherwise valid OpenAPI.`,
  `Each example is part of a document; its first line is the path. \`fixtures/bad-documents/\` has a complete document for
each rule; the document violates only that rule, once.`,
];

function contents(): string {
  const links = (rules: readonly Rule[]) => rules.map(({ id }) => `[${id}](#${id})`).join(', ');
  return topics.map(({ topic, rules }) => `- ${topic}: ${links(rules)}`).join('\n');
}

const section = (rule: Rule): string => `### ${rule.id}\n\n${ruleSection(rule)}`;

if (import.meta.main) writeFileSync(referenceFile, reference());
