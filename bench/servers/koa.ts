/** What koa, @koa/router and ajv cost by themselves: one stored resource, with a credential and a validated body. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import Router from '@koa/router';
import Koa from 'koa';
import { newAjv } from '../../spec/ajv.ts';
import { KEEP_ALIVE_TIMEOUT_MS } from '../../mock/http/keep-alive.ts';
import { documentOf } from '../../spec/documents.ts';
import { readInput, report, SAMPLE_TOKENS } from '../served.ts';

const { components } = documentOf('management');
const validate = newAjv({ strict: false }).compile({ $ref: '#/components/schemas/Agent', components });
const tokens = new Set(Object.values(SAMPLE_TOKENS));
const agents = new Map([['demo-agent', JSON.parse(readInput().body) as { metadata: object; spec: object }]]);

const router = new Router({ prefix: '/v0' });
router.get('/agents/:name', (ctx) => {
  ctx.body = agents.get(ctx.params['name'] ?? '');
});
router.put('/agents/:name', async (ctx) => {
  const name = ctx.params['name'] ?? '';
  const before = agents.get(name);
  const sent = (await json(ctx.req)) as { metadata: object; spec: object };
  if (before === undefined || !validate(sent)) return ctx.throw(400);
  const metadata = { ...before.metadata, ...sent.metadata, updatedAt: new Date().toISOString() };
  const after = { ...before, metadata, spec: sent.spec };
  agents.set(name, after);
  ctx.body = after;
});

const koa = new Koa();
koa.use((ctx, next) => (tokens.has(ctx.get('authorization').slice('Bearer '.length)) ? next() : ctx.throw(401)));
koa.use(router.routes());

const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, koa.callback());
server.listen(0, '127.0.0.1', () =>
  report({ port: (server.address() as AddressInfo).port, prefix: '/v0', tokens: SAMPLE_TOKENS }),
);
