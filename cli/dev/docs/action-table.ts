/** The inputs of the GitHub Action, for docs/ci.md. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { markdownTable } from './markdown-table.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default?: string }>>;
}

export function actionTable(): string {
  const { inputs } = parse(readFileSync(new URL('../../github-action/action.yml', import.meta.url), 'utf8')) as Action;
  return markdownTable(
    ['input', 'meaning', 'default'],
    Object.entries(inputs).map(([name, { description, default: value = '' }]) => [
      `\`${name}\``,
      description.replace(/\.$/, ''),
      value === '' ? '' : `\`${value}\``,
    ]),
  );
}
