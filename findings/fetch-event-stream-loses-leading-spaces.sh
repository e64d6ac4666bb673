#!/usr/bin/env bash
# fetch-event-stream removes all spaces after `data:`, not only the first. The WHATWG standard removes one, so `data:  world` is
# " world". A stream of plain text whose words begin with a space, as tokens of language models do, loses all its spaces.
# It also yields an event without data for a block with only `retry:`, where the standard dispatches none: JSON.parse fails.
# eventsource-parser does both as the standard says.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund fetch-event-stream@0.1.6 eventsource-parser@4.1.3 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createParser } from 'eventsource-parser';
import { events } from 'fetch-event-stream';

const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
const text = 'retry: 3000\n\ndata: Hello\n\ndata:  world\n\n';
const fetched = [];
for await (const { data } of events(new Response(text))) fetched.push(data ?? null);
const parsed = [];
createParser({ onEvent: ({ data }) => parsed.push(data) }).feed(text);
const results = [JSON.stringify(fetched), JSON.stringify(parsed)];
console.log(`fetch-event-stream ${versionOf('fetch-event-stream')}: ${results[0]}`);
console.log(`eventsource-parser ${versionOf('eventsource-parser')}: ${results[1]}`);
process.exitCode = results[0] === '[null,"Hello","world"]' && results[1] === '["Hello"," world"]' ? 0 : 1;
JS
node try.mjs
