/** A server that lets nobody do anything holds no rule of what is let in: such a rule is not tried there, never passed. */
import { expect, test } from 'vitest';
import type { RequirementId } from '../spec/requirements/index.ts';
import { collectCases } from './collect-cases.ts';
import { runCase } from './run-case.ts';
import { localServer } from './target/local-server.ts';
import { openTestContext } from './test-run.ts';

const rules: readonly RequirementId[] = [
  'versions.default.absent-header-means-earliest-stable',
  'versions.listed.accepted-everywhere',
  'auth.schemes.jwt-and-api-key-accepted',
  'oauth.token.no-store',
  'oauth.token.is-a-jwt',
];

/** Two JSON objects and a signature. */
const JWT = `${btoa('{"alg":"EdDSA"}')}.${btoa('{"sub":"assay"}')}.c2ln`.replaceAll('=', '');

const credentials = {
  admin: { value: JWT, name: 'SVC_ADMIN_TOKEN' },
  apiKey: { value: 'marked-api-key', name: 'SVC_API_KEY' },
  scoped: {},
};

test.each(rules.flatMap((id) => [404, 500].map((status) => ({ id, status }))))(
  '$id is not tried where every answer is $status',
  async ({ id, status }) => {
    await using server = await localServer(() => ({ status, body: { error: 'none' } }));
    const client = {
      id: 'assay',
      secret: { value: 'marked-secret', name: 'SVC_CLIENT_SECRET' },
      tokenUrl: `${server.address}/oauth/token`,
      authorizationUrl: `${server.address}/oauth/authorize`,
      redirectUri: 'http://127.0.0.1:8765/callback',
      scopes: ['agents:get'],
    };
    const run = openTestContext({ address: server.address, target: { credentials, client } });
    const tried = (await collectCases([id])).get(id)!;
    expect(await runCase(tried, run.context)).toMatchObject({ result: { id, verdict: 'not-tried' } });
    await run.close();
  },
);
