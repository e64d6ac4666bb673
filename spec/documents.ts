/** Loads the bundled OpenAPI documents on first use: four of the earliest version, and one of management for each later version. */

import { readFileSync } from 'node:fs';
import type { HeaderNames } from './brand.ts';
import { DEFAULT_BRAND, headerNames } from './brand.ts';
import type { OpenApiDocument, Surface } from './openapi-document.ts';
import { earliestStable } from './versions.ts';

const read = new Map<string, OpenApiDocument>();

/** Returns the document of a surface in a listed version, with the default brand. Shared: do not modify it. */
export function documentOf(surface: Surface, version: string = earliestStable): OpenApiDocument {
  const name = documentName(surface, version);
  let document = read.get(name);
  if (document === undefined) {
    document = JSON.parse(textOf(name)) as OpenApiDocument;
    read.set(name, document);
  }
  return document;
}

/** The name of its file in `spec/generated`, without the extension. Only management has versions. */
export const documentName = (surface: Surface, version: string): string =>
  surface === 'management' && version !== earliestStable ? `${surface}-${version}` : surface;

/** Returns the JSON text of the document of a surface, in the earliest version, with the given brand in its header names. */
export function documentText(surface: Surface, brand: string = DEFAULT_BRAND): string {
  const [filled, wanted] = [headerNames(DEFAULT_BRAND), headerNames(brand)];
  const names = Object.keys(filled) as (keyof HeaderNames)[];
  return names.reduce((text, name) => text.replaceAll(filled[name], wanted[name]), textOf(surface));
}

function textOf(name: string): string {
  return readFileSync(new URL(`generated/${name}.json`, import.meta.url), 'utf8');
}
