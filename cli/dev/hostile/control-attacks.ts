/** Requests to every call of `/_mock`, with and without its token. */
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { corruptedBytes, invalidJson, oddBody } from '../../../mock/testing/every-operation/invalid-body.ts';
import { oddHeaders, oddMethods, oddSegments, oddText } from '../../../mock/testing/every-operation/odd-values.ts';
import { calls } from '../../../mock/server/control/calls.ts';
import type { Attack, AttackedMock, Kind } from './attack.ts';
import { schemaValues } from './schema-values.ts';
import { curlOf, requestSender, type HttpRequest } from './send-request.ts';

const CONCURRENCY = 16;

interface Call {
  readonly method: string;
  readonly template: string;
  readonly query: readonly string[];
  readonly schema: object | undefined;
}

/** Rebuilding a world, or sending all of one, takes much longer than other calls. */
const RARE = /^(?:POST \/reset|POST \/worlds|PUT \/snapshot|GET \/snapshot)$/;

export async function controlKind(mock: AttackedMock): Promise<Kind> {
  const sender = requestSender(mock, CONCURRENCY);
  const snapshot = await snapshotOf(mock);
  const all = await allCalls();
  const requests = fc.oneof(
    ...all.map((call) => ({
      weight: RARE.test(`${call.method} ${call.template}`) ? 1 : 6,
      arbitrary: requestsOf(call, mock, snapshot),
    })),
  );
  const calling = requests.map(({ what, ...request }): Attack => ({
    what,
    send: () => sender.send(request),
    describe: () => curlOf(request),
  }));
  const attacks = fc.oneof(
    { weight: 19, arbitrary: calling },
    { weight: 1, arbitrary: fc.constant(bait(mock, sender)) },
  );
  return { name: 'control API', attacks, requestsPerAttack: 1, concurrency: CONCURRENCY, close: sender.close };
}

const BAIT_DEADLINE_MS = 1000;

/** A request to the API, so that rules and filters have something to match. A fault rule may answer it as it likes. */
function bait(mock: AttackedMock, { send }: ReturnType<typeof requestSender>): Attack {
  const headers = { authorization: `Bearer ${mock.target.credentials.admin.value}` };
  const request = { method: 'GET', url: '/v0/agents', headers, body: null };
  return {
    what: 'listAgents with faults',
    send: async () => ({ ...(await send(request, BAIT_DEADLINE_MS)), statuses: [] }),
    describe: () => curlOf(request),
  };
}

async function allCalls(): Promise<Call[]> {
  const rows = Object.entries(calls).flatMap(([template, byMethod]) =>
    Object.entries(byMethod).map(async ([method, load]): Promise<Call> => {
      const { query = [], body } = await load();
      return { method, template, query: query === 'ignored' ? [] : query, schema: await body?.jsonSchema() };
    }),
  );
  return Promise.all(rows);
}

async function snapshotOf({ port, controlToken }: AttackedMock): Promise<string> {
  const headers = { authorization: `Bearer ${controlToken}` };
  return (await fetch(`http://127.0.0.1:${port}/_mock/snapshot`, { headers })).text();
}

function requestsOf(call: Call, mock: AttackedMock, snapshot: string): fc.Arbitrary<HttpRequest & { what: string }> {
  const { method, template } = call;
  return fc
    .record({
      world: fc.oneof(
        { weight: 9, arbitrary: fc.constant('') },
        worldId.map((id) => `/w/${id}/_mock`),
      ),
      path: pathsOf(template),
      query: queriesOf(call),
      body: bodiesOf(call, snapshot),
      token: tokensOf(mock),
      odd: oddHeader,
      method: fc.oneof({ weight: 30, arbitrary: fc.constant(method) }, fc.constantFrom(...oddMethods)),
    })
    .map(({ world, path, query, body, token, odd, method: sent }) => ({
      what: `${method} /_mock${template}`,
      method: sent,
      url: `/_mock${world}${path}${query}`,
      headers: { ...(body !== null && { 'content-type': 'application/json' }), authorization: token, ...odd },
      body,
    }));
}

/** Of the worlds that requests create. The world of the second client has another name. */
const worldId = fc.nat({ max: 19 }).map((number) => `h-${number}`);
const collection = fc.constantFrom('agents', 'functions', 'models', 'sandboxes', 'jobs', 'volumes', 'policies', 'x');
const name = fc.constantFrom('demo-agent', 'demo-tools', 'demo-model', 'demo-box', 'demo-job', 'h-1', '__proto__');

function pathsOf(template: string): fc.Arbitrary<string> {
  const segments: Readonly<Record<string, fc.Arbitrary<string>>> = {
    id: fc.oneof(
      worldId,
      fc.nat({ max: 500 }).map((number) => `world-${number}`),
    ),
    collection,
    name,
    file: fc.constantFrom('console.js', 'console.css', 'docs.js', 'x'),
  };
  const parts = template.split('/').slice(1);
  const odd = fc.constantFrom(...oddSegments);
  const chosen = parts.map((part) => {
    const usual = segments[part.replaceAll(/[{}]/g, '')] ?? fc.constant(part);
    return fc.oneof({ weight: 15, arbitrary: usual }, odd);
  });
  return fc.tuple(...chosen).map((values) => values.map((value) => `/${value}`).join(''));
}

const queryValue = fc.oneof(
  fc.constantFrom(
    'agents',
    'demo',
    'GET',
    '4xx',
    '200',
    '/v0/*',
    '*'.repeat(50),
    '*a'.repeat(100),
    'listAgents',
    '0',
    '3',
  ),
  oddText.map((text) => text.toWellFormed()),
);

function queriesOf({ query }: Call): fc.Arbitrary<string> {
  const anyName = fc.constantFrom(...query, 'unknown', '__proto__');
  const pair = fc.tuple(anyName, queryValue).map(([at, value]) => `${at}=${shortWait(at, value)}`);
  const pairs = fc.array(pair, { minLength: 1, maxLength: 3 }).map((all) => `?${all.join('&')}`);
  return fc.oneof({ weight: query.length > 0 ? 1 : 10, arbitrary: fc.constant('') }, pairs);
}

/** A valid wait takes up to a minute, in which the connection can send nothing else. */
const shortWait = (at: string, value: string): string =>
  at === 'wait' && /^\d{1,2}$/.test(value) ? '0' : encodeURIComponent(value);

function bodiesOf({ method, template, schema }: Call, snapshot: string): fc.Arbitrary<string | Uint8Array | null> {
  if (schema === undefined) return fc.oneof({ weight: 12, arbitrary: fc.constant(null) }, oddBody);
  const text = schemaValues(schema, schema).map((value) => JSON.stringify(withoutWait(value)) ?? '');
  const whole = wholeBody(`${method} ${template}`, snapshot);
  const named = worldId.map((id) => JSON.stringify({ id }));
  const similar = whole === undefined ? text : fc.oneof(text, named, invalidJson(whole), fc.constant(whole));
  return fc.oneof(
    { weight: 12, arbitrary: similar },
    { weight: 2, arbitrary: text.chain((each) => corruptedBytes(each)) },
    { weight: 1, arbitrary: oddBody },
  );
}

function wholeBody(call: string, snapshot: string): string | undefined {
  if (call === 'PUT /snapshot') return snapshot;
  if (call !== 'POST /worlds') return undefined;
  const file = readFileSync(new URL('../../../fixtures/worlds/small.yaml', import.meta.url), 'utf8');
  return JSON.stringify({ seed: 7, world: parse(file) as unknown });
}

function withoutWait(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('wait' in value) || typeof value.wait !== 'number') return value;
  return { ...value, wait: value.wait > 0 && value.wait <= 60 ? 0 : value.wait };
}

function tokensOf({ controlToken }: AttackedMock): fc.Arbitrary<string | undefined> {
  const wrong = fc.constantFrom(
    undefined,
    '',
    'Bearer',
    `Bearer ${controlToken}x`,
    `Basic ${controlToken}`,
    'Bearer \u00ff',
  );
  return fc.oneof({ weight: 9, arbitrary: fc.constant(`Bearer ${controlToken}`) }, wrong);
}

const oddHeader = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc
    .constantFrom(...Object.entries(oddHeaders))
    .chain(([header, values]) => fc.constantFrom(...values).map((value) => ({ [header]: value }))),
);
