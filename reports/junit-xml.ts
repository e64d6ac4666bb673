/** XML in the format of JUnit. It has no entities, because some consumers, such as Allure, show them as they are written. */
import { escapeControls } from './printable.ts';

/** Keys that begin with @ are attributes, #text is a text, and all others are child elements. */
export interface Element {
  readonly [key: string]: string | Element | readonly Element[] | undefined;
}

/** The value of a `time` attribute. */
export const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);

/** Divides the time of a run in proportion to the weights, in whole milliseconds that add up exactly. */
export function timeShares(
  { startedAt, endedAt }: { readonly startedAt: string; readonly endedAt: string },
  weights: readonly number[],
): number[] {
  const runMs = Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
  const sum = weights.reduce((all, each) => all + each, 0);
  let before = 0;
  return weights.map((weight) => {
    const startMs = Math.round((runMs * before) / sum);
    before += weight;
    return Math.round((runMs * before) / sum) - startMs;
  });
}

export const junitXml = (testsuites: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${render('testsuites', testsuites, '')}`;

/** An element has either children or a text. Undefined values are omitted. */
function render(name: string, { '#text': text, ...members }: Element, indent: string): string {
  let attributes = '';
  let children = '';
  for (const [key, value] of Object.entries(members))
    if (typeof value === 'string') attributes += ` ${key.slice(1)}="${attribute(value)}"`;
    else for (const each of [value ?? []].flat()) children += render(key, each, `${indent}  `);
  const content = typeof text === 'string' ? cdata(text) : children && `\n${children}${indent}`;
  return `${indent}<${name}${attributes}${content === '' ? '/>' : `>${content}</${name}>`}\n`;
}

const lookAlikes: Readonly<Record<string, string>> = { '"': '”', "'": '’', '<': '‹', '>': '›', '&': '＆' };

/** In one line, with typographic characters instead of those that must be entities: only people read attributes. */
const attribute = (value: string): string =>
  allowed(escapeControls(value))
    .replaceAll(/"([^"]*)"/g, '“$1”')
    .replaceAll(/["'<>&]/g, (character) => lookAlikes[character] ?? '');

/** In one or more lines, exactly as it is. */
const cdata = (value: string): string =>
  `<![CDATA[${allowed(escapeControls(value, { lineEnds: true })).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;

/** Replaces characters that XML 1.0 does not allow, even as references, with U+FFFD. */
const allowed = (value: string): string =>
  value.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD');
