/** The examples of the documents are valid: Prism's mock, which knows only them, responds as documented. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { successFindings } from '../../mock/testing/every-operation/response-findings.ts';
import type { OperationResponse } from '../../mock/testing/every-operation/request-types.ts';
import { requestTo } from '../../mock/testing/every-operation/operation-request.ts';
import type { Content } from '../../spec/openapi-document.ts';
import { documentOf } from '../../spec/documents.ts';
import { eachOperation, resolve } from '../../spec/openapi-document.ts';
import type { OperationId } from '../../spec/operations.ts';
import { operation, operations } from '../../spec/operations.ts';
import { replyFindings } from '../../spec/validators.ts';
import type { PrismMocks } from './testing/prism-mocks.ts';
import { askPrism, startPrismMocks } from './testing/prism-mocks.ts';

const JSON_TYPE = 'application/json';

let mocks: PrismMocks;
beforeAll(async () => {
  mocks = await startPrismMocks();
});
afterAll(() => mocks[Symbol.asyncDispose]());

/** Sends the documents' own example of a request. */
const ask = (id: OperationId, prefer?: string) =>
  askPrism(mocks.addresses[operation(id).surface], id, requestTo(id, 'any-token'), prefer);

interface ShownAnswer {
  status: number;
  /** Names of the examples of its JSON body. */
  examples: readonly string[];
}

/** The documented responses of an operation, except `default`. */
function shownAnswers(id: OperationId): ShownAnswer[] {
  const document = documentOf(operation(id).surface);
  const found = eachOperation(document).find(({ operation: each }) => each.operationId === id);
  return Object.entries(found?.operation.responses ?? {})
    .filter(([status]) => status !== 'default')
    .map(([status, answer]) => {
      const { content = {} } = resolve<Content>(document, answer);
      return { status: Number(status), examples: Object.keys(content[JSON_TYPE]?.examples ?? {}) };
    });
}

function misfits(id: OperationId, { status, headers, text = '' }: OperationResponse): unknown[] {
  return headers['content-type'] === JSON_TYPE ? replyFindings(id, status, JSON.parse(text)) : [];
}

const documented = operations.filter((each) => each.documented).map(({ id }) => id);

describe.each(documented)('%s', (id) => {
  test('returns a documented success', async () => {
    expect(successFindings(await ask(id), id)).toEqual([]);
  });

  test.each(shownAnswers(id))(
    'is answered with each example of $status, which fits it',
    async ({ status, examples }) => {
      for (const prefer of [`code=${status}`, ...examples.map((name) => `code=${status}, example=${name}`)]) {
        const answer = await ask(id, prefer);
        expect(answer.status, `${prefer}: ${answer.text}`).toBe(status);
        expect(misfits(id, answer)).toEqual([]);
      }
    },
  );
});

test('the command prism mock serves a document, too', async () => {
  const root = path.join(import.meta.dirname, '../..');
  const words = ['mock', '--multiprocess', 'false', '--port', '0', path.join(root, 'spec/generated/management.json')];
  const prism = path.join(root, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const child = spawn(process.execPath, [prism, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const address = await listening(createInterface(child.stdout));
    const answer = await askPrism(address, 'listAccounts', requestTo('listAccounts', 'any-token'));
    expect(successFindings(answer, 'listAccounts')).toEqual([]);
  } finally {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
});

async function listening(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /Prism is listening on (\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('Prism ended before it listened.');
}
