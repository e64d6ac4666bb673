#!/usr/bin/env bash
# For a request body with two media types, JSON and multipart/form-data, the fetch client of orval accepts both types, but
# always sends JSON text without a Content-Type (so fetch says text/plain), and a Blob becomes {}. With JSON alone it sends
# application/json. A good guess: the first media type of the document, or a form if the value is one.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{"private":true,"type":"module","dependencies":{"orval":"8.38.0","esbuild":"0.25.12"}}' > package.json
npm install --no-audit --no-fund --loglevel=error >/dev/null
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Files","version":"1"},"servers":[{"url":"http://127.0.0.1"}],"paths":{
"/json":{"put":{"operationId":"putJson","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Text"}}}},"responses":{"204":{"description":"Done."}}}},
"/both":{"put":{"operationId":"putBoth","requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Text"}},"multipart/form-data":{"schema":{"$ref":"#/components/schemas/Upload"}}}},"responses":{"204":{"description":"Done."}}}}},
"components":{"schemas":{"Text":{"type":"object","required":["content"],"properties":{"content":{"type":"string"}}},
"Upload":{"type":"object","required":["file"],"properties":{"file":{"type":"string","format":"binary"}}}}}}
JSON
cat > orval.config.mjs <<'JS'
export default { api: { input: './api.json', output: { target: './client.ts', client: 'fetch' } } };
JS
npx orval --config ./orval.config.mjs >/dev/null
cat > main.ts <<'TS'
import { putBoth, putJson } from './client.ts';
globalThis.fetch = async (url, init) => {
  const request = new Request(`http://127.0.0.1${url}`, init);
  console.log(`${url}: ${request.headers.get('content-type')} ${await request.text()}`);
  return new Response(null, { status: 204 });
};
await putJson({ content: 'a' });
await putBoth({ content: 'a' });
await putBoth({ file: new Blob(['a']) });
TS
npx esbuild main.ts --bundle --platform=node --format=esm --outfile=main.mjs --log-level=error
output=$(node main.mjs)
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/orval/package.json', 'utf8')).version")
echo "orval $version"
echo "$output"
grep -q '^/json: application/json' <<<"$output"
grep -q '^/both: text/plain;charset=UTF-8 {"content":"a"}' <<<"$output"
grep -q '^/both: text/plain;charset=UTF-8 {"file":{}}' <<<"$output"
