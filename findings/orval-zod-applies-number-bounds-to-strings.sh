#!/usr/bin/env bash
# The zod schemas of orval refuse values that an OpenAPI 3.1 document allows. For `type: [string, integer]`, `minimum` becomes the
# least length of the string, although JSON Schema applies it to numbers only. An array without `items`, which may have any items,
# becomes z.array() without an argument, which throws a TypeError when it parses an item. A good guess: keywords apply to the
# types that they are about, and an array without items is an array of anything.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module","dependencies":{"orval":"8.38.0","zod":"4.6.7","esbuild":"0.25.12"}}' > package.json
npm install --no-audit --no-fund --loglevel=error >/dev/null
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Jobs","version":"1"},"paths":{"/jobs":{"get":{"operationId":"getJob","responses":{"200":{
"description":"The job.","content":{"application/json":{"schema":{"type":"object","properties":{
"port":{"type":["string","integer"],"minimum":1024},"tasks":{"type":"array"}}}}}}}}}}}
JSON
echo "export default { jobs: { input: './api.json', output: { target: './jobs.ts', client: 'zod' } } };" > orval.config.mjs
npx orval --config ./orval.config.mjs >/dev/null
cat > main.ts <<'TS'
import { GetJobResponse } from './jobs.ts';
for (const job of [{ port: 8080 }, { port: 'http' }, { tasks: [] }, { tasks: ['a'] }]) {
  let result: string;
  try {
    const { success } = GetJobResponse.safeParse(job);
    result = success ? 'accepted' : 'refused';
  } catch (error) {
    result = (error as Error).name;
  }
  console.log(`${JSON.stringify(job)}: ${result}`);
}
TS
npx esbuild main.ts --bundle --platform=node --format=esm --outfile=main.mjs --log-level=error
output=$(node main.mjs)
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/orval/package.json', 'utf8')).version")
echo "orval $version"
echo "$output"
[ "$output" = '{"port":8080}: accepted
{"port":"http"}: refused
{"tasks":[]}: accepted
{"tasks":["a"]}: TypeError' ]
