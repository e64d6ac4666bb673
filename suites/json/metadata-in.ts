/** The metadata of a resource as JSON; empty if there is none. */
import { fieldsOf } from './fields.ts';
import type { Fields } from './fields.ts';

export const metadataIn = (json: unknown): Fields => fieldsOf(fieldsOf(json)?.['metadata']) ?? {};
