/** Writes the JSON Schemas of the input formats and of the report to `spec/formats/generated/`. Part of `npm run documents`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { writtenByUsers } from '../../spec/formats/json-schema.ts';
import { comparisonSchema, knownDifferencesSchema } from '../../spec/formats/comparison.ts';
import { knownFailuresSchema } from '../../spec/formats/known-failures.ts';
import { reportSchema } from '../../spec/formats/report.ts';
import { targetFileSchema } from '../../spec/formats/target-file.ts';
import { worldFileSchema } from '../../spec/formats/world-file.ts';
import { configSchema, sectionSchema } from '../command-line/config-schema.ts';
import { allowReferences } from './allow-references.ts';
import { createProgram } from '../commands/index.ts';

export const schemasFolder = path.join(import.meta.dirname, '../../spec/formats/generated');

/** The text of each file, by its name. */
export async function jsonSchemas(): Promise<Record<string, string>> {
  const { commands } = await createProgram();
  const sections = commands.map((command) => [command.name(), sectionSchema(command)]);
  const schemas = {
    target: allowReferences(jsonSchema(targetFileSchema)),
    world: jsonSchema(worldFileSchema),
    config: jsonSchema(configSchema(Object.fromEntries(sections) as Record<string, z.ZodType>)),
    'known-failures': jsonSchema(knownFailuresSchema),
    report: jsonSchema(reportSchema),
    comparison: jsonSchema(comparisonSchema),
    'known-differences': jsonSchema(knownDifferencesSchema),
  };
  const files = Object.entries(schemas).map(([name, schema]) => [
    `${name}.json`,
    `${JSON.stringify(schema, null, 2)}\n`,
  ]);
  return Object.fromEntries(files) as Record<string, string>;
}

/** Of what a user writes: before defaults and parsing. */
const jsonSchema = (schema: z.ZodType): Record<string, unknown> => z.toJSONSchema(schema, writtenByUsers);

if (import.meta.main) {
  mkdirSync(schemasFolder, { recursive: true });
  for (const [name, text] of Object.entries(await jsonSchemas())) writeFileSync(path.join(schemasFolder, name), text);
}
