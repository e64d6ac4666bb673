#!/usr/bin/env bash
# express-openapi-validator refuses an OpenAPI 3.1 document whose OAuth flow has a relative URL such as /oauth/token, and then
# answers every request with 500. OpenAPI says that all URLs of a document may be relative, unless it says otherwise, and the
# schema of the OpenAPI Initiative (2026-08-03) accepts them. With an absolute URL, or `validateApiSpec: false`, the same
# document works. A document that several deployments share needs a relative URL.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund express-openapi-validator@5.6.2 express@5.3.0 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import express from 'express';
import * as validator from 'express-openapi-validator';

const { version } = JSON.parse(readFileSync('node_modules/express-openapi-validator/package.json', 'utf8'));
console.error = () => {}; // It prints the errors of the document.
const documentWith = (tokenUrl) => ({
  openapi: '3.1.0',
  info: { title: 'Pets', version: '1' },
  servers: [{ url: '/v0' }],
  paths: { '/pets': { get: { responses: { 200: { description: 'The pets.' } } } } },
  components: {
    securitySchemes: { oauth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl, scopes: {} } } } },
  },
});

async function statusWith(tokenUrl, validateApiSpec) {
  const app = express();
  app.use(validator.middleware({ apiSpec: documentWith(tokenUrl), validateApiSpec }));
  app.get('/v0/pets', (_request, response) => response.json([]));
  app.use((error, _request, response, _next) => response.status(error.status ?? 500).end());
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { status } = await fetch(`http://127.0.0.1:${server.address().port}/v0/pets`);
  server.closeAllConnections();
  server.close();
  return status;
}

const results = {
  'tokenUrl http://127.0.0.1/oauth/token': await statusWith('http://127.0.0.1/oauth/token', true),
  'tokenUrl /oauth/token': await statusWith('/oauth/token', true),
  'tokenUrl /oauth/token, validateApiSpec: false': await statusWith('/oauth/token', false),
};
console.log(`express-openapi-validator ${version}`);
for (const [name, status] of Object.entries(results)) console.log(`${name}: GET /v0/pets returns ${status}`);
process.exitCode = Object.values(results).join() === '200,500,200' ? 0 : 1;
JS
node try.mjs
