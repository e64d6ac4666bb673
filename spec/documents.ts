/** Loads the four bundled OpenAPI documents on first use. */

import { readFileSync } from 'node:fs';
import type { HeaderNames } from './brand.ts';
import { DEFAULT_BRAND, headerNames } from './brand.ts';
import type { OpenApiDocument, Surface } from './openapi-document.ts';

const read = new Map<Surface, OpenApiDocument>();

/** Returns the document of a surface with the default brand. Shared: do not modify it. */
export function documentOf(surface: Surface): OpenApiDocument {
  let document = read.get(surface);
  if (document === undefined) {
    document = JSON.parse(textOf(surface)) as OpenApiDocument;
    read.set(surface, document);
  }
  return document;
}

/** Returns the JSON text of the document of a surface with the given brand in its header names. */
export function documentText(surface: Surface, brand: string = DEFAULT_BRAND): string {
  const [filled, wanted] = [headerNames(DEFAULT_BRAND), headerNames(brand)];
  const names = Object.keys(filled) as (keyof HeaderNames)[];
  return names.reduce((text, name) => text.replaceAll(filled[name], wanted[name]), textOf(surface));
}

function textOf(surface: Surface): string {
  return readFileSync(new URL(`generated/${surface}.json`, import.meta.url), 'utf8');
}
