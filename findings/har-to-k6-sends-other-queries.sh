#!/bin/sh
# har-to-k6 looks for each pair of `queryString` in the URL and appends those it does not find: of a repeated parameter it
# finds only the first, and it finds no value with a `+` for a space. So k6 sends a query that was never recorded.
# A literal `%` in one decoded value makes it refuse the whole file.
# Exits with 1 if that changes.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund har-to-k6@0.14.16 har-validator@5.1.5 >/dev/null
cat >try.cjs <<'SCRIPT'
const { readFileSync } = require('node:fs');
const { liHARToK6Script } = require('har-to-k6');
const { har: validate } = require('har-validator');
const { version } = JSON.parse(readFileSync('node_modules/har-to-k6/package.json', 'utf8'));
const URL_OF_API = 'https://api.example/pets?';
const size = { headersSize: -1, bodySize: -1, httpVersion: 'HTTP/1.1', cookies: [], headers: [] };
const archive = (query, pairs) => ({
  log: {
    version: '1.2',
    creator: { name: 'recorder', version: '1' },
    entries: [
      {
        startedDateTime: '2026-01-01T00:00:00.000Z',
        time: 1,
        request: { method: 'GET', url: URL_OF_API + query, queryString: pairs.map(([name, value]) => ({ name, value })), ...size },
        response: { status: 200, statusText: 'OK', content: { size: 0, mimeType: '' }, redirectURL: '', ...size },
        cache: {},
        timings: { send: 0, wait: 1, receive: 0 },
      },
    ],
  },
});
async function queryInScript(query, pairs) {
  const recorded = archive(query, pairs);
  await validate(recorded);
  try {
    const { main } = await liHARToK6Script(recorded);
    return /http\.get\(\s*'([^']*)'/.exec(main)[1].replace(URL_OF_API, '');
  } catch (error) {
    return error.message;
  }
}
(async () => {
  const results = {
    'limit=1': await queryInScript('limit=1', [['limit', '1']]),
    'tag=a&tag=b': await queryInScript('tag=a&tag=b', [['tag', 'a'], ['tag', 'b']]),
    'q=a+b': await queryInScript('q=a+b', [['q', 'a+b']]),
    'q=50%25, decoded': await queryInScript('q=50%25', [['q', '50%']]),
  };
  console.log(`har-to-k6 ${version}\n${JSON.stringify(results, null, 2)}`);
  const expected = ['limit=1', 'tag=a&tag=b&tag=b', 'q=a+b&q=a%2Bb', 'URI malformed'];
  process.exitCode = JSON.stringify(Object.values(results)) === JSON.stringify(expected) ? 0 : 1;
})();
SCRIPT
node try.cjs
