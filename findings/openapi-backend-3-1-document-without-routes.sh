#!/usr/bin/env bash
# openapi-backend, whose readme lists OpenAPI 3.1, checks every document with the schema of 3.0. A document of 3.1 that uses what
# is new, such as `type: [string, null]`, `const` or `examples`, is therefore invalid for it: by default init() only prints a
# warning, but afterwards no operation is found, and each request ends in the handler notFound. The same document without these
# works. A good guess: 3.1 works, or init() throws (it does only with `strict: true`).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --loglevel=error --no-audit --no-fund openapi-backend@5.21.2 >/dev/null
cat >try.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { OpenAPIBackend } from 'openapi-backend';

const { version } = JSON.parse(readFileSync('node_modules/openapi-backend/package.json', 'utf8'));
let warnings = 0;
console.warn = () => (warnings += 1);

async function handlerFor(schema) {
  const content = { 'application/json': { schema } };
  const getPet = { operationId: 'getPet', responses: { 200: { description: 'The pet.', content } } };
  const definition = { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: { '/pet': { get: getPet } } };
  const handlers = { getPet: () => 'getPet', notFound: () => 'notFound' };
  const api = new OpenAPIBackend({ definition, handlers });
  warnings = 0;
  await api.init();
  const handler = await api.handleRequest({ method: 'GET', path: '/pet', headers: {} });
  console.log(`${JSON.stringify(schema)}: GET /pet is handled by ${handler}; ${warnings} warnings`);
  return handler;
}

console.log(`openapi-backend ${version}`);
const results = [
  await handlerFor({ type: 'string' }),
  await handlerFor({ type: ['string', 'null'] }),
  await handlerFor({ const: 'cat' }),
  await handlerFor({ type: 'string', examples: ['cat'] }),
];
process.exitCode = results.join() === 'getPet,notFound,notFound,notFound' ? 0 : 1;
JS
node try.mjs
