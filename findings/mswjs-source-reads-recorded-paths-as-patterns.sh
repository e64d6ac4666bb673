#!/usr/bin/env bash
# fromTraffic() of @mswjs/source makes handlers from a HAR file, but takes each recorded URL for a path pattern. A recorded
# /jobs:cancel also answers /jobs:start (a colon begins a parameter), and after one recorded URL with `+` in its path, such as
# /files/a+b, every request fails with 500, also those for other URLs. All of these are plain characters of a path (RFC 3986 3.3).
# A good guess: a recording answers exactly the URLs that it has. Custom methods with a colon, and file names, are such paths.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund --ignore-scripts @mswjs/source@0.5.0 msw@2.15.0 har-validator@5.1.5 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { fromTraffic } from '@mswjs/source/traffic';
import { har as validate } from 'har-validator';
import { setupServer } from 'msw/node';

const { version } = JSON.parse(readFileSync('node_modules/@mswjs/source/package.json', 'utf8'));
console.error = () => {}; // msw prints the stack of what it throws.
const ORIGIN = 'https://api.example';
const message = { httpVersion: 'HTTP/1.1', cookies: [], headers: [], headersSize: -1, bodySize: -1 };
const entryOf = (path) => ({
  startedDateTime: '2026-01-01T00:00:00.000Z',
  time: 1,
  request: { ...message, method: 'GET', url: ORIGIN + path, queryString: [] },
  response: {
    ...message,
    status: 200,
    statusText: 'OK',
    content: { size: path.length, mimeType: 'text/plain', text: path },
    redirectURL: '',
  },
  cache: {},
  timings: { send: 0, wait: 1, receive: 0 },
});

async function replay(recorded, requested) {
  const har = { log: { version: '1.2', creator: { name: 'recorder', version: '1' }, entries: recorded.map(entryOf) } };
  await validate(har);
  const server = setupServer(...fromTraffic(har));
  server.listen({ onUnhandledRequest: 'error' });
  const response = await fetch(ORIGIN + requested);
  const result = response.ok ? `the response of ${await response.text()}` : `status ${response.status}`;
  server.close();
  console.log(`recorded ${recorded.join(' and ')}, requested ${requested}: ${result}`);
  return result;
}

console.log(`@mswjs/source ${version}`);
const results = [
  await replay(['/pets', '/jobs'], '/jobs'),
  await replay(['/jobs:cancel', '/jobs:start'], '/jobs:start'),
  await replay(['/files/a+b', '/pets'], '/pets'),
];
const expected = ['the response of /jobs', 'the response of /jobs:cancel', 'status 500'];
process.exit(JSON.stringify(results) === JSON.stringify(expected) ? 0 : 1);
JS
node try.mjs
