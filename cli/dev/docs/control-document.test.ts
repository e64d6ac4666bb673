/** Compares the OpenAPI document of `/_mock` with the calls and with responses of a running mock. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../../mock/start-mock.ts';
import { controlCalls, controlDocument } from './control-document.ts';
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

const bodies: Readonly<Record<string, object>> = {
  'PUT /clock': { mode: 'frozen' },
  'PUT /faults': { rules: [{ operation: 'updateAgent', times: 1, status: 503 }] },
  'PUT /responses': { responses: [{ match: { operation: 'updateAgent' }, sequence: [{ status: 503 }] }] },
  'PUT /deployments/{collection}/{name}': { status: 'DEPLOYED' },
  'POST /tokens': { scopes: ['agents:get'] },
  'POST /verify': { requests: [{ operation: 'updateAgent', times: 0 }] },
  'POST /worlds': { id: 'other' },
};

/** In the order of the table: a world is created before it is removed. */
test.each(Object.entries(controlOperations))(
  '%s returns what is documented',
  async (call, { status = 200, response }) => {
    const [method = '', pattern = ''] = call.split(' ');
    const root = `${mock.addresses.host}/_mock`;
    const sent: unknown = call === 'PUT /snapshot' ? await (await fetch(`${root}/snapshot`)).json() : bodies[call];
    const named = pattern.replace('{id}', 'other').replace('{collection}/{name}', 'agents/demo-agent');
    const reply = await fetch(root + named, {
      method,
      ...(sent !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(sent) }),
    });
    const content: unknown = await reply.json();
    expect({ call, status: reply.status }).toEqual({ call, status });
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(response ?? {});
    validate(content);
    expect({ call, errors: validate.errors }).toEqual({ call, errors: null });
  },
);
