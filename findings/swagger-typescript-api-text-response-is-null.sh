#!/usr/bin/env bash
# A client of swagger-typescript-api types `data` of a text/plain response as string, but leaves it null: it reads only JSON,
# unless each call passes `format: 'text'`. A good guess: it reads the media type that the document names.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module","dependencies":{"swagger-typescript-api":"13.13.0","esbuild":"0.25.12"}}' > package.json
npm install --no-audit --no-fund --loglevel=error >/dev/null
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Log","version":"1"},"paths":{"/log":{"get":{"operationId":"readLog","responses":{
"200":{"description":"The log.","content":{"text/plain":{"schema":{"type":"string"}}}}}}}}}
JSON
npx swagger-typescript-api generate --path api.json --output . --name client.ts >/dev/null
cat > main.ts <<'TS'
import { Api } from './client.ts';
const customFetch = async () => new Response('first line\n', { headers: { 'content-type': 'text/plain' } });
const api = new Api({ customFetch });
const call = api.log.readLog;
const response: { data: string } = await call();
console.log(`data without format: ${JSON.stringify(response.data)}`);
console.log(`data with format: ${JSON.stringify((await call({ format: 'text' })).data)}`);
TS
npx esbuild main.ts --bundle --platform=node --format=esm --outfile=main.mjs --log-level=error
output=$(node main.mjs)
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/swagger-typescript-api/package.json', 'utf8')).version")
echo "swagger-typescript-api $version"
grep -o 'this.request<string, any>' client.ts
echo "$output"
grep -q 'data without format: null' <<<"$output"
grep -q 'data with format: "first line' <<<"$output"
