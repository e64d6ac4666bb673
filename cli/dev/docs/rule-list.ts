/** The rules of the catalogue by area, for docs/rules.md. */
import { requirements } from '../../../spec/requirements/index.ts';
import type { Requirement } from '../../../spec/requirements/requirement.ts';
import { describeSource } from '../../../spec/requirements/source.ts';
import { markdownTable } from './markdown-table.ts';

export function ruleList(): string {
  const rules: readonly Requirement[] = requirements;
  const areas = Map.groupBy(rules, ({ id }) => id.slice(0, id.indexOf('.')));
  const must = rules.filter(({ level }) => level === 'must').length;
  const sections = [...areas].map(([area, own]) => `## ${area}\n\n${tableOf(own)}`);
  return [`${rules.length} rules: ${must} must, ${rules.length - must} observe.`, ...sections].join('\n\n');
}

const tableOf = (rules: readonly Requirement[]): string =>
  markdownTable(
    ['id', 'rule', 'source'],
    rules.map(({ id, level, since, rule, needs, sources }) => [
      // In one column: six are too wide for a page.
      `\`${id}\`<br>${level}, since ${since}${needs.length === 0 ? '' : `<br>needs ${needs.join(', ')}`}`,
      rule,
      sources.map((source) => describeSource(source).replaceAll('<', String.raw`\<`)).join(' '),
    ]),
  );
