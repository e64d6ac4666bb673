#!/usr/bin/env bash
# retry-axios repeats a 503 without Retry-After, and with `Retry-After: 1`, but not with `Retry-After: 0` or a date that has just
# passed: the call fails at once. A good guess: 0 means now, as RFC 9110 10.2.3 allows any number of seconds from 0 on. Servers
# round short waits down to 0, and a date has whole seconds, so it has often passed when the response arrives.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund retry-axios@4.0.3 axios@1.21.1 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import axios from 'axios';
import * as rax from 'retry-axios';

const { version } = JSON.parse(readFileSync('node_modules/retry-axios/package.json', 'utf8'));
let requests;
let header;
const server = createServer((_request, response) => {
  requests += 1;
  if (requests > 1) return response.end('ok');
  response.writeHead(503, header === undefined ? {} : { 'retry-after': header }).end();
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = axios.create({ baseURL: `http://127.0.0.1:${server.address().port}` });
client.defaults.raxConfig = { instance: client };
rax.attach(client);

async function requestsWith(value) {
  [requests, header] = [0, value];
  const status = await client.get('/').then((response) => response.status, (error) => error.response.status);
  return `${requests} requests, status ${status}`;
}

const results = {
  'no Retry-After': await requestsWith(undefined),
  'Retry-After: 1': await requestsWith('1'),
  'Retry-After: 0': await requestsWith('0'),
  'Retry-After: the current second': await requestsWith(new Date().toUTCString()),
};
console.log(`retry-axios ${version}`);
for (const [name, result] of Object.entries(results)) console.log(`${name}: ${result}`);
server.closeAllConnections();
server.close();
const [repeated, refused] = ['2 requests, status 200', '1 requests, status 503'];
const expected = [repeated, repeated, refused, refused];
process.exitCode = JSON.stringify(Object.values(results)) === JSON.stringify(expected) ? 0 : 1;
JS
node try.mjs
