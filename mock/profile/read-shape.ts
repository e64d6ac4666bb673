/** Reads the words for the form of an answer: `{data list, metadata {name}}`, `a list of string`, `undefined` where it is no JSON. */
import { namesIn } from './point.ts';
import type { Form } from './recast.ts';

const VALUES: Readonly<Record<string, Form>> = {
  undefined: { is: 'nothing' },
  string: { is: 'value', type: 'string' },
  number: { is: 'value', type: 'number' },
  boolean: { is: 'value', type: 'boolean' },
  null: { is: 'value', type: 'null' },
};

const INNER: Readonly<Record<string, Form>> = { '': { is: 'scalar' }, list: { is: 'list' }, object: { is: 'object' } };

/** Undefined where the case prints no such words: it looks at two levels, and names members in order. */
export function readShape(words: string): Form | undefined {
  if (Object.hasOwn(VALUES, words)) return VALUES[words];
  if (!words.startsWith(LIST_OF)) return readObject(words, 2);
  const of = readShape(words.slice(LIST_OF.length));
  return of && of.is !== 'nothing' ? { is: 'list', of } : undefined;
}

const LIST_OF = 'a list of ';

function readObject(words: string, levels: number): Form | undefined {
  if (levels === 0 || !words.startsWith('{') || !words.endsWith('}')) return undefined;
  const members = split(words.slice(1, -1)).map((member) => {
    const [, name = '', rest = ''] = /^([^ {]+)(?: (.+))?$/.exec(member) ?? [];
    const form = levels === 1 || Object.hasOwn(INNER, rest) ? INNER[rest] : readObject(rest, levels - 1);
    return [name, levels === 2 && rest === 'object' ? undefined : form] as const;
  });
  const isRead = members.every(([name, form]) => name !== '' && form !== undefined);
  const names = members.map(([name]) => name).join(', ');
  return isRead && namesIn(names) !== undefined ? { is: 'object', members: Object.fromEntries(members) } : undefined;
}

/** At the commas that stand in no braces. */
function split(words: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const sign of words) {
    if (sign === '{') depth++;
    if (sign === '}') depth--;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
