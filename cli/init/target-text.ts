/** The text of a target file in the format that its name asks for: JSON, or YAML with comments. */
import path from 'node:path';
import { parse } from 'yaml';

const SCHEMA = 'node_modules/@svc/assay/dist/spec/formats/generated/target.json';

/** `yaml`: the file without a reference to its schema. `file`: where it is written, relative to the working folder. */
export function targetText(yaml: string, file: string): string {
  const schema = schemaPath(file);
  if (path.extname(file).toLowerCase() !== '.json') return `# yaml-language-server: $schema=${schema}\n${yaml}`;
  return `${JSON.stringify({ $schema: schema, ...(parse(yaml) as object) }, null, 2)}\n`;
}

/** Relative to the file, with slashes on every system. */
function schemaPath(file: string): string {
  const relative = path.relative(path.dirname(file), SCHEMA).replaceAll('\\', '/');
  return relative.startsWith('.') ? relative : `./${relative}`;
}
