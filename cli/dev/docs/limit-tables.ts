/** The limits of the mock, for docs/security.md. */
import { requestLimits, specLimits, worldLimits } from '../../../spec/formats/mock-limits.ts';
import { markdownTable } from './markdown-table.ts';

export const requestLimitTable = (): string =>
  markdownTable(
    ['at most', 'of one request', 'otherwise'],
    Object.values(requestLimits).map(({ max, what, status }) => [grouped(max), what, String(status)]),
  );

export const specLimitTable = (): string =>
  markdownTable(
    ['number in `spec`', 'of', 'allowed'],
    Object.values(specLimits).map(({ path, min, max, unit, of }) => [
      `\`${path}\``,
      of.map((each) => each.replaceAll('_', ' ')).join(', '),
      `${grouped(min)} to ${grouped(max)} ${unit}`,
    ]),
  );

export const worldLimitTable = (): string =>
  markdownTable(
    ['key of `limits`', 'default', 'what', 'otherwise'],
    Object.entries(worldLimits).map(([name, { max, what, status }]) => [
      `\`${name}\``,
      grouped(max),
      what,
      status === 'none' ? 'see there' : String(status),
    ]),
  );

/** With commas between groups of three digits. */
const grouped = (number: number): string => number.toLocaleString('en-US');
