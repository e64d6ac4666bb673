#!/usr/bin/env bash
# An object with `properties` and a schema in `additionalProperties`: openapi-zod-client keeps only the latter, as z.record(), and
# so refuses the documented properties if their type differs. @hey-api/openapi-ts keeps only the former, and parse() removes the
# other properties. JSON Schema applies additionalProperties to the names that properties does not have. A good guess is an
# object with catchall(), which keeps both: counters with a total, or labels beside an id, are such objects.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'JSON'
{"private":true,"type":"module","dependencies":{"openapi-zod-client":"1.18.3","@zodios/core":"10.9.6","axios":"1.13.2",
"zod":"3.25.76","@hey-api/openapi-ts":"0.99.0","typescript":"6.0.3","esbuild":"0.25.12"}}
JSON
npm install --no-audit --no-fund --loglevel=error --legacy-peer-deps >/dev/null
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Items","version":"1"},"paths":{"/items":{"get":{"operationId":"getItem","responses":{"200":{
"description":"The item.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Item"}}}}}}}},
"components":{"schemas":{"Item":{"type":"object","properties":{"id":{"type":"integer"}},"additionalProperties":{"type":"string"}}}}}
JSON
npx openapi-zod-client api.json -o zodios.ts --export-schemas >/dev/null
npx openapi-ts -i api.json -o hey -p zod >/dev/null
cat > main.ts <<'TS'
import { schemas } from './zodios.ts';
import { zItem } from './hey/zod.gen.ts';
const item = { id: 1, color: 'red' };
for (const [name, schema] of [['openapi-zod-client', schemas.Item], ['@hey-api/openapi-ts', zItem]] as const) {
  const { success, data } = schema.safeParse(item);
  console.log(`${name}: ${success ? JSON.stringify(data) : 'refused'}`);
}
TS
npx esbuild main.ts --bundle --platform=node --format=esm --outfile=main.mjs --log-level=error --external:zod --external:@zodios/core
output=$(node main.mjs)
for name in openapi-zod-client @hey-api/openapi-ts; do
  node -p "'$name ' + JSON.parse(require('fs').readFileSync('node_modules/$name/package.json', 'utf8')).version"
done
echo "$output"
[ "$output" = 'openapi-zod-client: refused
@hey-api/openapi-ts: {"id":1}' ]
