/** Creates the Ajv that validates the schemas of the documents. */

import { createRequire } from 'node:module';
import type { Ajv2020 as Ajv, Options } from 'ajv/dist/2020.js';
import { isInstant } from './rfc3339.ts';

export type { Ajv2020 as Ajv } from 'ajv/dist/2020.js';

/** Keywords for readers and generators that validation ignores. */
export const READERS_KEYWORDS = [
  'x-not-shown',
  'x-allowed',
  'x-secret',
  'x-earliest-name',
  'x-unit',
  'x-standard',
  'x-window-cap',
  'x-dimensions',
  'x-max-dimensions',
  'x-clamped-at',
  'x-keys-of-oauth-mail-integration',
];

/** Creates an Ajv for JSON Schema 2020-12 in strict mode that reports all errors and parses RFC 3339 strictly. */
export function newAjv(options: Options = {}): Ajv {
  const require = createRequire(import.meta.url); // Not an import: loading Ajv takes longer than the mock may take to start.
  const { Ajv2020 } = require('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js');
  const { fullFormats } = require('ajv-formats/dist/formats.js') as typeof import('ajv-formats/dist/formats.js');
  return new Ajv2020({
    strict: true,
    strictTuples: false,
    allErrors: true,
    verbose: true,
    validateSchema: false, // A test validates the schemas against their meta-schema; at run time that would only cost time.
    formats: { uuid: fullFormats.uuid, 'date-time': isInstant, binary: true },
    keywords: READERS_KEYWORDS,
    ...options,
  });
}
