#!/bin/sh
# Targets of OpenAPI overlays are JSONPath (RFC 9535). jsonpath-plus selects nothing, without an error, for a filter without
# parentheses, such as `$.parameters[?@.name == 'b']`. In its own form, with parentheses, a comparison of the element itself
# needs a space after `@`: `[?(@ == 'b')]` works and `[?(@=='b')]` throws, although `[?(@.name=='b')]` works.
# Exits with 1 if that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund jsonpath-plus@10.4.0 json-p3@2.3.1 >/dev/null
cat >try.cjs <<'SCRIPT'
const { readFileSync } = require('node:fs');
const { JSONPath } = require('jsonpath-plus');
const { query } = require('json-p3');
const { version } = JSON.parse(readFileSync('node_modules/jsonpath-plus/package.json', 'utf8'));
const json = { required: ['a', 'b'], parameters: [{ name: 'a' }, { name: 'b' }] };
function selected(path) {
  try {
    return JSON.stringify(JSONPath({ path, json, eval: 'safe' }));
  } catch {
    return 'throws';
  }
}
const paths = [
  ["$.parameters[?@.name == 'b']", '[]'],
  ["$.required[?@ == 'b']", '[]'],
  ["$.parameters[?(@.name=='b')]", '[{"name":"b"}]'],
  ["$.required[?(@ == 'b')]", '["b"]'],
  ["$.required[?(@=='b')]", 'throws'],
];
console.log(`jsonpath-plus ${version}; the same with json-p3, which follows RFC 9535`);
for (const [path] of paths) console.log(path, selected(path), JSON.stringify(query(path, json).values()));
process.exitCode = paths.every(([path, expected]) => selected(path) === expected) ? 0 : 1;
SCRIPT
node try.cjs
