/** The version header of a request, and refusals of versions, as rules see them in anybody's traffic. */
import { headerNames } from '../../../spec/brand.ts';
import { operations } from '../../../spec/operations.ts';
import { isKnownVersion } from '../../../spec/versions.ts';
import type { Facts, Seen } from '../../judge/seen.ts';
import { fieldsOf } from '../../json/fields.ts';

/** The documented management operations that read the header. */
export const versionedOperations = operations
  .filter(({ surface, documented, versioned }) => surface === 'management' && documented && versioned)
  .map(({ id }) => id);

/** Undefined if the header is absent. */
export const versionOf = (seen: Seen, { brand }: Facts): string | undefined => seen.header(headerNames(brand).version);

/** The name of the header as it was sent. */
export const spellingOf = ({ exchange }: Seen, { brand }: Facts): string | undefined =>
  Object.keys(exchange.request.headers).find((name) => name.toLowerCase() === headerNames(brand).version.toLowerCase());

type Kind = 'listed' | 'date' | 'preview' | 'malformed';

/** Undefined without a value, and for characters with which it may look like a repeated header. */
export function kindOfVersion(value: string | undefined): Kind | undefined {
  if (value === undefined || !/^[\x21-\x2b\x2d-\x7e]+$/.test(value)) return undefined;
  if (isKnownVersion(value)) return 'listed';
  if (isDate(value)) return 'date';
  return value.endsWith('.preview') && isDate(value.slice(0, -'.preview'.length)) ? 'preview' : 'malformed';
}

const isDate = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) && new Date(value).toJSON().startsWith(value);

export const isRefusedVersion = (seen: Seen): boolean => fieldsOf(seen.json)?.['error'] === 'invalid_api_version';

/** Whether nothing but the version can be invalid: a read without parameters. */
export const isPlainRead = ({ exchange: { request }, query }: Seen): boolean =>
  request.method === 'GET' && query.length === 0;

/** Whether a response to the request can have a body. */
export const mayHaveBody = ({ exchange: { request } }: Seen): boolean => request.method !== 'HEAD';
