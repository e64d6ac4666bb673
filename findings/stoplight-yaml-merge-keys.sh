#!/bin/sh
# @stoplight/yaml, the YAML parser of Spectral and Prism, lets `<<` replace a key that stands before it, so the order of the
# lines of a mapping decides; other parsers let the mapping's own key win wherever it stands. It refuses the tag `!!merge`, which Go tools such as yq 4 write.
# Exits with 1 if that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund @stoplight/yaml@4.3.0 yaml@2.8.1 js-yaml@4.1.0 >/dev/null
cat >try.cjs <<'SCRIPT'
const { readFileSync } = require('node:fs');
const stoplight = require('@stoplight/yaml');
const { parse } = require('yaml');
const jsYaml = require('js-yaml');
const [stoplightName, yamlName, jsYamlName] = ['@stoplight/yaml', 'yaml', 'js-yaml'].map(
  (name) => `${name} ${JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version}`,
);
const early = 'base: &base { maxLength: 63 }\nname: { maxLength: 49, <<: *base }\n';
const late = 'base: &base { maxLength: 63 }\nname: { <<: *base, maxLength: 49 }\n';
const tagged = 'base: &base { maxLength: 63 }\nname:\n  !!merge <<: *base\n';
const read = (text) => stoplight.parseWithPointers(text, { mergeKeys: true });
const results = {
  [`own key first, ${stoplightName}`]: read(early).data.name.maxLength,
  [`own key last, ${stoplightName}`]: read(late).data.name.maxLength,
  [`own key first, ${yamlName}`]: parse(early, { merge: true }).name.maxLength,
  [`own key first, ${jsYamlName}`]: jsYaml.load(early).name.maxLength,
  [`errors for !!merge, ${stoplightName}`]: read(tagged).diagnostics.length > 0,
  [`value with !!merge, ${yamlName}`]: parse(tagged, { merge: true }).name.maxLength,
};
console.log(JSON.stringify(results, null, 2));
const expected = [63, 49, 49, 49, true, 63];
process.exitCode = JSON.stringify(Object.values(results)) === JSON.stringify(expected) ? 0 : 1;
SCRIPT
node try.cjs
