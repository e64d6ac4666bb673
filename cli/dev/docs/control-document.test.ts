/** Compares the OpenAPI document of `/_mock` with the calls and with responses of a running mock. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../../mock/start-mock.ts';
import { controlCalls, controlDocument } from './control-document.ts';
import { pathExamples, requestExamples, responseExamples } from './control-examples.ts';
import { controlOperations } from './control-operations.ts';

const file = path.join(import.meta.dirname, '../../../docs/control-api.openapi.json');

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

test('every call is described, and every described call exists', () => {
  expect(Object.keys(controlOperations).toSorted()).toEqual(controlCalls().toSorted());
});

test('the published document is up to date', async () => {
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(JSON.parse(JSON.stringify(await controlDocument())));
});

/** In the order of the table: a world is created before it is removed. */
test.each(Object.entries(controlOperations))(
  '%s returns what is documented',
  async (call, { status = 200, response }) => {
    const [method = '', pattern = ''] = call.split(' ');
    const root = `${mock.addresses.host}/_mock`;
    const sent = requestExamples[call];
    await fetch(`${root}/reset`, { method: 'POST' });
    const named = pattern.replace(/\{(\w+)\}/g, (_, name: string) => pathExamples[name] ?? '');
    const reply = await fetch(root + named, {
      method,
      ...(sent !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }),
    });
    const content = (await reply.json()) as object;
    expect({ call, status: reply.status }).toEqual({ call, status });
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(response ?? {});
    const example = responseExamples[call] ?? {};
    for (const each of [content, example]) {
      validate(each);
      expect({ call, errors: validate.errors }).toEqual({ call, errors: null });
    }
    expect(Object.keys(content)).toEqual(expect.arrayContaining(Object.keys(example)));
  },
);

test('no request body has members that clients must not send', async () => {
  expect(JSON.stringify(await controlDocument())).not.toContain('"readOnly":true');
});

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/control-api.md'), 'utf8').replaceAll(
  '\\\n',
  '',
);
const commands = [...page.matchAll(/^curl -sS (?:-X (\w+) )?\$RUN_URL\/_mock(\S+) [^'\n]*--json '([^']+)'/gm)];

test.each(commands.map(([, method = 'POST', called = '', body = '']) => [method, called, body]))(
  'the page has a body that %s %s accepts: %s',
  async (method, called, body) => {
    const root = `${mock.addresses.host}/_mock`;
    await fetch(`${root}/reset`, { method: 'POST' });
    const request = { method, headers: { 'content-type': 'application/json' }, body };
    const reply = await fetch(root + called, request);
    expect({ isSuccess: reply.ok, content: await reply.text() }).toMatchObject({ isSuccess: true });
  },
);

test('the page has at least as many bodies as the document', () => {
  expect(commands.length).toBeGreaterThanOrEqual(Object.keys(requestExamples).length);
});
