/** The Ajv for the input schemas of tools: their patterns are matched in linear time. */
import { createRequire } from 'node:module';
import { newAjv, type Ajv } from '../../../spec/ajv.ts';
import { isInstant } from '../../../spec/rfc3339.ts';
import { linearPattern } from '../../http/linear-pattern.ts';

const require = createRequire(import.meta.url);

export function toolSchemaAjv(): Ajv {
  const { fastFormats } = require('ajv-formats/dist/formats.js') as typeof import('ajv-formats/dist/formats.js');
  const regExp = Object.assign((pattern: string) => linearPattern(pattern), { code: 'linearPattern' });
  return newAjv({
    strict: false,
    verbose: false,
    allErrors: false,
    formats: { ...fastFormats, 'date-time': isInstant },
    code: { regExp },
  });
}
