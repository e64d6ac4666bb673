/** The tables that `npm run documents` derives from the documents; read instead of them, because parsing those delays the start of the mock. */

import { readFileSync } from 'node:fs';
import type { Tables } from './table-types.ts';

/** Shared: do not modify it. */
export const tables = JSON.parse(readFileSync(new URL('generated/tables.json', import.meta.url), 'utf8')) as Tables;
