/** Types of request bodies whose objects and lists are all read-only, so that callers may pass constants (`as const`). */
import { z } from 'zod';

/** Exported, so that the declarations of the package name it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Accepts what z.json() accepts. */
export const json: z.ZodType<Json> = z.json();

/** Leaves types that include every JSON value as they are: they are recursive. */
export type DeepReadonly<T> = [Json] extends [T]
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;
