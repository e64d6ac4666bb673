/** Reads the words for the form of an answer: `{data list, metadata {name}}`, `a list of string`, `undefined` where it is no JSON. */
import type { Form } from './recast.ts';

const VALUES: Readonly<Record<string, Form>> = {
  undefined: { is: 'nothing' },
  string: { is: 'value', type: 'string' },
  number: { is: 'value', type: 'number' },
  boolean: { is: 'value', type: 'boolean' },
  null: { is: 'value', type: 'null' },
  object: { is: 'object', members: {} },
  list: { is: 'list' },
  'an empty list': { is: 'list' },
};

/** Undefined where the words make no sense. */
export function readShape(words: string): Form | undefined {
  if (Object.hasOwn(VALUES, words)) return VALUES[words];
  if (words.startsWith('a list of ')) {
    const of = readShape(words.slice('a list of '.length));
    return of && { is: 'list', of };
  }
  if (!words.startsWith('{') || !words.endsWith('}')) return undefined;
  const members = split(words.slice(1, -1)).map((member) => {
    const [, name = '', rest = ''] = /^([^ {]+)(?: (.+))?$/.exec(member) ?? [];
    return [name, rest === '' ? undefined : readShape(rest), rest !== ''] as const;
  });
  const isRead = members.every(([name, form, isTold]) => name !== '' && (form !== undefined || !isTold));
  return isRead ? { is: 'object', members: Object.fromEntries(members) } : undefined;
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
