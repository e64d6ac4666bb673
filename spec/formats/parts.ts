/** Values that several formats contain. An `error` completes the sentence "… is not …". */
import { z } from 'zod';
import { parseInstant } from '../rfc3339.ts';

/** `abort`: a long list of empty ones ends at the first, see readFormat. */
export const text = z.string().min(1, { abort: true });

/** For editors, which look up the JSON Schema here. */
export const schemaReference = z.string().describe('URL or path of the JSON Schema, for editors. Ignored.');

export const count = z.int().nonnegative();

const HUNDRED_YEARS_SECONDS = 100 * 365 * 86_400;
const LIFETIME = `an integer from 0 to ${HUNDRED_YEARS_SECONDS}, a hundred years`;

/** Of a credential. */
export const lifetimeSeconds = z
  .int({ error: LIFETIME })
  .min(0, { error: LIFETIME })
  .max(HUNDRED_YEARS_SECONDS, { error: LIFETIME });

/** An RFC 3339 timestamp. */
export const instant = z
  .string({ error: 'an RFC 3339 timestamp' })
  .refine((value) => parseInstant(value) !== undefined, {
    error: 'an RFC 3339 timestamp such as 2026-10-01T00:00:00Z',
  })
  .meta({ format: 'date-time' });

/** A calendar day, such as 2026-12-31. */
export const day = z.iso.date({ error: 'a day such as 2026-12-31' });

const ABSOLUTE_URL = 'a URL that begins with http:// or https://';

/** An absolute http or https URL without credentials, query and fragment. A slash at its end is removed. */
export const address = z
  .string({ error: ABSOLUTE_URL })
  .superRefine((value, context) => {
    const problem = problemOfAddress(value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  })
  .overwrite((value) => value.replace(/\/+$/, ''))
  .meta({ format: 'uri' });

function problemOfAddress(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol)) return ABSOLUTE_URL;
  // URL.parse drops some of them, but messages contain the address as it is written.
  if (/[\s\p{C}]/u.test(value)) return 'a URL without spaces, line breaks and control characters';
  if (url.username !== '' || url.password !== '') return 'a URL without a user name or password';
  return url.search === '' && url.hash === '' ? undefined : 'a URL without ? and #';
}

const REDIRECT_URI = 'an absolute URL without #, such as http://127.0.0.1:8765/callback';

/** An absolute URL of any scheme, without a fragment (RFC 6749 3.1.2). In `localhost:80`, 80 is a port: it has no scheme. */
export const redirectUri = z
  .string({ error: REDIRECT_URI })
  .refine(
    (value) => /^[a-z][a-z\d+.-]*:(?!\d)[\x21-\x7e]+$/i.test(value) && !value.includes('#') && URL.canParse(value),
    { error: REDIRECT_URI },
  )
  .meta({ format: 'uri' });

const CALLBACK_URL = 'a URL that begins with http:// or https://, without a user name, a password and #';

/** An absolute http or https URL that a server can call. It may have a query. */
export const callbackUrl = z
  .string({ error: CALLBACK_URL })
  .refine(
    (value) => {
      const url = /^[\x21-\x7e]+$/.test(value) && !value.includes('#') ? URL.parse(value) : null;
      return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    },
    { error: CALLBACK_URL },
  )
  .meta({ format: 'uri' });
