/** Our mock and Prism's mock respond as documented to one valid request of every documented operation, according to both validators. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { successFindings } from '../../mock/testing/every-operation/response-findings.ts';
import type { OperationResponse } from '../../mock/testing/every-operation/request-types.ts';
import type { OpenMock } from '../../mock/testing/every-operation/open-mock.ts';
import { openMock } from '../../mock/testing/every-operation/open-mock.ts';
import type { OperationRequest } from '../../mock/testing/every-operation/request-types.ts';
import type { OperationId } from '../../spec/operations.ts';
import { operation, operations } from '../../spec/operations.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import { readByPrism } from '../../spec/prism/reader.ts';
import { bodyFindings } from '../../spec/validators.ts';
import type { PrismMocks } from './testing/prism-mocks.ts';
import { askPrism, startPrismMocks } from './testing/prism-mocks.ts';

const JSON_TYPE = 'application/json';

let ours: OpenMock;
let theirs: PrismMocks;
let reader: PrismReader;
beforeAll(async () => {
  [ours, theirs, reader] = await Promise.all([openMock(), startPrismMocks(), readByPrism()]);
});
afterAll(() => Promise.all([ours.close(), theirs[Symbol.asyncDispose]()]));

/** The findings of both validators in a response. */
function findings(id: OperationId, answer: OperationResponse): readonly unknown[] {
  const { status, headers, text = '' } = answer;
  const isJson = String(headers['content-type']).split(';', 1)[0] === JSON_TYPE && text !== '';
  const byPrism = isJson ? reader.responseFindings(id, { status, headers: {}, body: JSON.parse(text) }) : [];
  return [...successFindings(answer, id), ...(byPrism ?? [])];
}

function requestFindings(id: OperationId, { path, query, headers, body }: OperationRequest): readonly unknown[] {
  const filled = operation(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const isJson = headers['content-type'] === JSON_TYPE;
  const value: unknown = isJson && typeof body === 'string' ? JSON.parse(body) : (body ?? undefined);
  const given = Object.entries(headers).map(([name, each]) => [name, String(each)]);
  const request = { path: `${filled}?${query}`, headers: Object.fromEntries(given) as Record<string, string> };
  return [...(isJson ? bodyFindings(id, value) : []), ...reader.requestFindings(id, { ...request, body: value })];
}

describe.each(operations.filter(({ documented }) => documented))('$id', ({ id, surface }) => {
  test('has a valid request to which both mocks respond as documented', async () => {
    await ours.reset();
    const request = await ours.prepare(id);
    expect(requestFindings(id, request)).toEqual([]);
    expect(findings(id, await ours.send(id, request)), 'our mock').toEqual([]);
    expect(findings(id, await askPrism(theirs.addresses[surface], id, request)), "Prism's mock").toEqual([]);
  });
});

test('an invalid response is found by both readers', () => {
  const answer = { status: 200, headers: { 'content-type': JSON_TYPE }, text: '{"metadata":{}}' };
  expect(successFindings(answer, 'updateAgent').length).toBeGreaterThan(0);
  expect(findings('updateAgent', answer).length).toBeGreaterThan(successFindings(answer, 'updateAgent').length);
});
