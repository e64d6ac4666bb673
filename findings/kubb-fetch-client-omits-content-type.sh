#!/usr/bin/env bash
# The fetch client that kubb generates sends JSON bodies without Content-Type: application/json, and returns an error
# response as if it were the documented success. A good guess: it says what it sends, as the document does, and rejects or
# tells the responses apart.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'JSON'
{"private":true,"type":"module","dependencies":{"@kubb/cli":"4.39.3","@kubb/core":"4.39.3","@kubb/plugin-client":"4.39.3","@kubb/plugin-oas":"4.39.3","@kubb/plugin-ts":"4.39.3","esbuild":"0.25.12"}}
JSON
npm install --no-audit --no-fund --loglevel=error >/dev/null
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{"/pets":{"post":{"operationId":"createPet",
"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}},
"responses":{"200":{"description":"The pet.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}},
"415":{"description":"Not JSON.","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Problem"}}}}}}}},
"components":{"schemas":{"Pet":{"type":"object","required":["name"],"properties":{"name":{"type":"string"}}},
"Problem":{"type":"object","required":["error"],"properties":{"error":{"type":"string"}}}}}}
JSON
cat > kubb.config.mjs <<'JS'
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
export default {
  root: '.',
  input: { path: './api.json' },
  output: { path: './gen' },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch', bundle: true })],
};
JS
npx kubb generate --config kubb.config.mjs >/dev/null
cat > main.ts <<'TS'
import http from 'node:http';
import { createPet } from './gen/index.ts';
const server = http.createServer((request, response) => {
  const type = request.headers['content-type'];
  console.log(`Content-Type of the request: ${type}`);
  const ok = type?.startsWith('application/json');
  response.writeHead(ok ? 200 : 415, { 'content-type': 'application/json' });
  response.end(ok ? '{"name":"Tom"}' : '{"error":"Send JSON."}');
});
server.listen(0, async () => {
  const { port } = server.address() as { port: number };
  const pet = await createPet({ name: 'Tom' }, { baseURL: `http://127.0.0.1:${port}` });
  console.log(`createPet(), whose type is Pet, resolves with: ${JSON.stringify(pet)}`);
  server.close();
});
TS
npx esbuild main.ts --bundle --platform=node --format=esm --outfile=main.mjs --log-level=error
output=$(node main.mjs)
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/@kubb/plugin-client/package.json', 'utf8')).version")
echo "@kubb/plugin-client $version"
echo "$output"
grep -q 'Content-Type of the request: text/plain' <<<"$output"
grep -q 'resolves with: {"error":"Send JSON."}' <<<"$output"
