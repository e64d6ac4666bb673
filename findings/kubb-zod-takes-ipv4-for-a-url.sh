#!/usr/bin/env bash
# @kubb/plugin-zod writes z.url() for the formats `ipv4` and `uri-reference`, so its schemas refuse 192.0.2.1 and /pets?page=2,
# which the document allows. A good guess: an address is checked as an address, or not at all. A next link that is relative and
# the address of a host are common in responses, and the generated client then throws for each of them. Version 5.1.6 of the
# plugin cannot be installed: it needs kubb 5.2.3, which is not published.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > package.json <<'JSON'
{"private":true,"type":"module","dependencies":{"@kubb/cli":"4.39.3","@kubb/core":"4.39.3","@kubb/plugin-oas":"4.39.3",
"@kubb/plugin-ts":"4.39.3","@kubb/plugin-zod":"4.39.3","zod":"4.6.7","esbuild":"0.25.12"}}
JSON
npm install --no-audit --no-fund --loglevel=error >/dev/null
cat > api.json <<'JSON'
{"openapi":"3.1.0","info":{"title":"Hosts","version":"1"},"paths":{},"components":{"schemas":{"Host":{"type":"object",
"properties":{"address":{"type":"string","format":"ipv4"},"next":{"type":"string","format":"uri-reference"},
"home":{"type":"string","format":"uri"}}}}}}
JSON
cat > kubb.config.mjs <<'JS'
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';
import { pluginZod } from '@kubb/plugin-zod';
export default {
  root: '.',
  input: { path: './api.json' },
  output: { path: './gen' },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginZod({ version: '4' })],
};
JS
npx kubb generate --config kubb.config.mjs >/dev/null
cat > main.ts <<'TS'
import { hostSchema } from './gen/zod/hostSchema.ts';
for (const host of [{ home: 'http://192.0.2.1/' }, { address: '192.0.2.1' }, { next: '/pets?page=2' }]) {
  const { success, error } = hostSchema.safeParse(host);
  console.log(`${JSON.stringify(host)}: ${success ? 'accepted' : error.issues[0].message}`);
}
TS
npx esbuild main.ts --bundle --platform=node --format=esm --outfile=main.mjs --log-level=error
output=$(node main.mjs)
version=$(node -p "JSON.parse(require('fs').readFileSync('node_modules/@kubb/plugin-zod/package.json', 'utf8')).version")
echo "@kubb/plugin-zod $version"
echo "$output"
grep -q '"home":"http://192.0.2.1/"}: accepted' <<<"$output"
grep -q '"address":"192.0.2.1"}: Invalid URL' <<<"$output"
grep -q '"next":"/pets?page=2"}: Invalid URL' <<<"$output"
