#!/bin/sh
# Allure 3 shows the entities of a JUnit file as they are written: a failure with quotes in its message or text reads
# `&quot;a&quot; &lt; &apos;b&apos;`. Only a CDATA section is shown as it was meant, and an attribute cannot have one.
# Exits with 1 if that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund allure@3.18.0 >/dev/null
mkdir results
cat >results/junit.xml <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="pets" tests="2" failures="2">
    <testcase classname="pets" name="entities"><failure message="got &quot;a&quot;">&quot;a&quot; &lt; &apos;b&apos;</failure></testcase>
    <testcase classname="pets" name="cdata"><failure message="got a"><![CDATA["a" < 'b']]></failure></testcase>
  </testsuite>
</testsuites>
XML
npx --no-install allure generate results -o report >/dev/null
cat >try.cjs <<'SCRIPT'
const { readdirSync, readFileSync } = require('node:fs');
const folder = 'report/data/test-results';
const { version } = JSON.parse(readFileSync('node_modules/allure/package.json', 'utf8'));
const tests = readdirSync(folder).map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')));
const shown = (name) => tests.find((test) => test.name === name).error;
const results = [shown('entities').message, shown('entities').trace, shown('cdata').trace];
console.log(`allure ${version}\n${results.join('\n')}`);
const expected = ['got &quot;a&quot;', '&quot;a&quot; &lt; &apos;b&apos;', `"a" < 'b'`];
process.exitCode = JSON.stringify(results) === JSON.stringify(expected) ? 0 : 1;
SCRIPT
node try.cjs
