#!/usr/bin/env bash
# json-schema-faker creates values that its own schema refuses: for `format: duration` it puts days after the T ("PT3D"; RFC 3339
# appendix A allows them only before it), and it ignores `propertyNames`, so names of generated properties do not match. A good
# guess: what it creates is valid, since it is used to send valid requests. Ajv judges it here.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund json-schema-faker@0.6.3 ajv@8.20.0 ajv-formats@3.0.1 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generate } from 'json-schema-faker';

const { version } = JSON.parse(readFileSync('node_modules/json-schema-faker/package.json', 'utf8'));
const ajv = new Ajv2020();
addFormats.default(ajv);
const string = { type: 'string' };
const schemas = {
  'date-time': { ...string, format: 'date-time' },
  duration: { ...string, format: 'duration' },
  propertyNames: {
    type: 'object',
    propertyNames: { pattern: '^[a-z]{3}$' },
    additionalProperties: string,
    minProperties: 1,
  },
};
console.log(`json-schema-faker ${version}`);
const invalid = [];
for (const [name, schema] of Object.entries(schemas)) {
  const isValid = ajv.compile(schema);
  const values = await Promise.all(Array.from({ length: 200 }, () => generate(structuredClone(schema))));
  const refused = values.filter((value) => !isValid(value));
  console.log(`${name}: ${refused.length} of 200 invalid${refused.length === 0 ? '' : `, such as ${JSON.stringify(refused[0])}`}`);
  invalid.push(refused.length > 0);
}
process.exitCode = invalid.join() === 'false,true,true' ? 0 : 1;
JS
node try.mjs
