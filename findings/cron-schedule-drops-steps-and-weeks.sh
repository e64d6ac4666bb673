#!/usr/bin/env bash
# cron-schedule accepts `5/20 * * * *`, but drops the step: it fires at minute 5 only. cron-parser, cron and
# @datasert/cronjs-matcher fire at 5, 25 and 45. It also accepts `1#1` as a weekday (the first Monday of a month, for those that
# know it) and fires every Monday, because it reads the digits at the start and ignores the rest. A good guess: it refuses what it
# does not know, as it does for `L` and `?`. A schedule that one service validates with it then runs at other times elsewhere.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund cron-schedule@6.0.0 cron-parser@5.10.6 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import parser from 'cron-parser';
import { parseCronExpression } from 'cron-schedule';

const versionOf = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;
const start = new Date('2026-01-01T00:00:00Z');
const { CronExpressionParser } = parser;
const readers = {
  'cron-schedule': (text) => parseCronExpression(text).getNextDates(3, start),
  'cron-parser': (text) => {
    const schedule = CronExpressionParser.parse(text, { currentDate: start, tz: 'UTC' });
    return [1, 2, 3].map(() => schedule.next().toDate());
  },
};
const results = [];
for (const [name, read] of Object.entries(readers)) {
  console.log(`${name} ${versionOf(name)}`);
  for (const text of ['5/20 * * * *', '0 0 * * 1#1']) {
    const instants = read(text).map((date) => date.toISOString().slice(5, 16)).join(', ');
    console.log(`  ${text}: ${instants}`);
    results.push(instants);
  }
}
const expected = [
  '01-01T00:05, 01-01T01:05, 01-01T02:05',
  '01-05T00:00, 01-12T00:00, 01-19T00:00',
  '01-01T00:05, 01-01T00:25, 01-01T00:45',
  '01-05T00:00, 02-02T00:00, 03-02T00:00',
];
process.exitCode = JSON.stringify(results) === JSON.stringify(expected) ? 0 : 1;
JS
TZ=UTC node try.mjs
