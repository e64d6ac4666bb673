/** XML in the format of JUnit. Some consumers, such as Allure, show entities as they are written, so texts have none. */
import XMLBuilder from 'fast-xml-builder';
import { escapeControls } from './printable.ts';

export type Element = Readonly<Record<string, unknown>>;

/** The key of a text of an element. */
const CDATA = '#cdata';

// A key that begins with @ is an attribute; "true" stays a value.
const builder = new XMLBuilder({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  cdataPropName: CDATA,
  format: true,
  suppressBooleanAttributes: false,
});

export const junitXml = (testsuites: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${builder.build({ testsuites })}`;

/** The value of an attribute, in one line. */
export const attribute = (value: string): string => allowed(escapeControls(value));

/** An attribute for people: it has typographic quotes, because straight ones must be entities. */
export const message = (value: string): string =>
  attribute(value)
    .replaceAll(/"([^"]*)"/g, '“$1”')
    .replaceAll('"', '”')
    .replaceAll("'", '’');

/** The content of an element, in one or more lines. */
export const text = (value: string): Element => ({ [CDATA]: allowed(value) });

/** Replaces characters that XML 1.0 does not allow, even as references, with U+FFFD. */
const allowed = (value: string): string =>
  escapeControls(value, { lineEnds: true }).replaceAll(
    /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu,
    '\uFFFD',
  );
