/**
 * Bundles the OpenAPI sources into `spec/generated/`, one JSON document per surface and one of management for each later version,
 * and generates tables and types.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { applyOverlay } from './apply-overlay.ts';
import { fillBrand } from './brand.ts';
import { documentName } from './documents.ts';
import type { OpenApiDocument, Surface } from './openapi-document.ts';
import { resolve, surfaces } from './openapi-document.ts';
import { tablesOf } from './generate-tables.ts';
import { typesOf } from './generate-types.ts';
import { laterVersions } from './versions.ts';

export const sources = fileURLToPath(new URL('openapi', import.meta.url));
export const generatedFolder = fileURLToPath(new URL('generated', import.meta.url));

/** Returns the content of every generated file by name. Writes only temporary files. */
export async function generate(): Promise<Record<string, string>> {
  const documents = surfaces.map((surface): [Surface, OpenApiDocument] => [surface, bundled(surface)]);
  const earliest = Object.fromEntries(documents) as Record<Surface, OpenApiDocument>;
  const later = laterDocuments(earliest.management);
  const named = [...documents, ...later.map(([version, it]) => [documentName('management', version), it] as const)];
  const tables = tablesOf(earliest, later);
  return {
    ...Object.fromEntries(named.map(([name, document]) => [`${name}.json`, textOf(document)])),
    'tables.json': `${JSON.stringify(tables, undefined, 1)}\n`,
    'types.ts': await typesOf([...documents, ...later].map(([, document]) => document)),
  };
}

const textOf = (document: OpenApiDocument): string => `${JSON.stringify(document, undefined, 1)}\n`;

/** The management document of each version after the earliest one: the document before, changed by the version's overlay. */
function laterDocuments(earliest: OpenApiDocument): [string, OpenApiDocument][] {
  let document = earliest;
  return laterVersions.map((version) => {
    const overlay = readFileSync(join(sources, 'versions', `${version}.yaml`), 'utf8');
    document = applyOverlay(document, parse(fillBrand(overlay)));
    document.info.version = version;
    return [version, document];
  });
}

/** Returns one bundled document with the default brand. */
function bundled(surface: Surface): OpenApiDocument {
  const folder = mkdtempSync(join(tmpdir(), 'assay-documents-'));
  try {
    const bundle = join(folder, 'bundle.json');
    redocly('bundle', join(sources, `${surface}.yaml`), '--output', bundle);
    const document = withExampleNames(withInlineBodies(JSON.parse(readFileSync(bundle, 'utf8')) as OpenApiDocument));
    return JSON.parse(fillBrand(JSON.stringify(document))) as OpenApiDocument;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Writes request bodies and responses in place of references to them. Generators of clients name a type after each of these
 * components, which would collide with the schema of the same name.
 */
function withInlineBodies(document: OpenApiDocument): OpenApiDocument {
  const { requestBodies, responses, ...components } = document.components;
  const isBody = /^#\/components\/(?:requestBodies|responses)\//;
  const inline = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(inline);
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === 'string' && isBody.test($ref)) return inline(resolve(document, { $ref }));
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inline(member)]));
  };
  return inline({ ...document, components }) as OpenApiDocument;
}

/** Ends the names of examples in `Example`: components of different kinds must not have the same name. */
function withExampleNames(document: OpenApiDocument): OpenApiDocument {
  const { examples = {} } = document.components;
  const named = Object.fromEntries(Object.entries(examples).map(([name, example]) => [`${name}Example`, example]));
  const text = JSON.stringify({ ...document, components: { ...document.components, examples: named } });
  return JSON.parse(text.replaceAll(/"#\/components\/examples\/\w+(?=")/g, '$&Example')) as OpenApiDocument;
}

/** Runs the Redocly command and returns its output. Throws with the output if the command fails. */
export function redocly(...parameters: string[]): string {
  const home = dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json'));
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, 'bin/cli.js'), ...parameters], {
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`redocly ${parameters[0]} failed:\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}

if (import.meta.main) {
  for (const [name, text] of Object.entries(await generate())) writeFileSync(join(generatedFolder, name), text);
}
