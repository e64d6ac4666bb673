import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import type { OperationId } from '../../spec/operations.ts';
import { operation } from '../../spec/operations.ts';
import type { MustId } from '../../spec/requirements/index.ts';
import type { PrismReader } from '../../spec/prism/reader.ts';
import { readByPrism } from '../../spec/prism/reader.ts';
import type { BodyCopy } from './body-copy.ts';
import { copyOf, createCopyBudget, INCOMPLETE_BODY } from './body-copy.ts';
import type { CheckResult } from './check-exchange.ts';
import { checkExchange } from './check-exchange.ts';

let reader: PrismReader;
beforeAll(async () => {
  reader = await readByPrism();
});

interface Given {
  id: OperationId;
  path?: string;
  method?: string;
  /** JSON, unless it is a text already. */
  sent?: unknown;
  cutShort?: boolean;
  status?: number;
  got?: unknown;
  type?: string;
  headers?: readonly string[];
  isComplete?: boolean;
  adminOnly?: MustId;
}

async function bodyOf(value: unknown): Promise<BodyCopy> {
  const bytes = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const stream = Readable.from(bytes === '' ? [] : [Buffer.from(bytes)]);
  const copy = copyOf(stream, createCopyBudget());
  await text(stream);
  return copy;
}

const agent = { metadata: { name: 'a' }, spec: {} };
const json = 'application/json';
const window = 'startTime=2026-10-01T00:00:00Z&endTime=2026-10-02T00:00:00Z';

async function check(given: Given, readBy = reader): Promise<CheckResult> {
  const { id, path = '/agents/a', status = 200, got, type = json, headers = [], isComplete = true } = given;
  const sent = 'sent' in given ? given.sent : id === 'updateAgent' ? agent : undefined;
  const { method = operation(id).method } = given;
  return checkExchange(
    { operation: operation(id), path, base: '' },
    {
      method,
      url: path,
      headers: [...(sent === undefined ? [] : ['Content-Type', json]), ...headers],
      body: given.cutShort ? INCOMPLETE_BODY : await bodyOf(sent),
      response: { status, headers: ['Content-Type', type], body: await bodyOf(got), isComplete },
    },
    readBy,
    given.adminOnly,
  );
}

describe('there is no violation', () => {
  const deleted = { id: 'deleteUnusedImages', path: '/images' } as const;
  const version = { error: 'invalid_api_version', message: 'm' };

  test.each<[string, Given]>([
    ['a resource with more in it than the documents show', { id: 'updateAgent', got: { ...agent, more: 1 } }],
    ['JSON of another JSON type', { id: 'updateAgent', got: agent, type: 'application/json; charset=utf-8' }],
    ['an error of the documented form', { id: 'updateAgent', status: 404, got: { error: 'gone', code: 404 } }],
    ['an unknown version', { id: 'updateAgent', status: 400, got: version }],
    ['an unknown version for any operation', { ...deleted, status: 400, got: { ...version, code: 400 } }],
    [
      'the refusal of a caller without the role',
      {
        id: 'getAccountMetrics',
        path: `/accounts/a/metrics?${window}`,
        status: 403,
        got: { message: 'Access denied' },
        adminOnly: 'metrics.roles.workspace-filter-admin-only',
      },
    ],
    ['an unknown query parameter', { id: 'updateAgent', path: '/agents/a?trace=1', got: agent }],
    ['a byte order mark', { id: 'updateAgent', sent: `\ufeff${JSON.stringify(agent)}`, got: agent }],
    ['an incomplete request', { id: 'updateAgent', sent: '{', cutShort: true, got: agent }],
    ['read-only fields in a request', { id: 'updateAgent', sent: { ...agent, status: 7 }, got: agent }],
  ])('in %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ responseCheck: 'checked', violations: [] });
  });

  test.each<[string, Given]>([
    [
      'an error whose body is not shown',
      { id: 'createVpc', sent: agent, status: 409, got: 'conflict', type: 'text/plain' },
    ],
    ['a 400 that is not about the version', { ...deleted, status: 400, got: { error: 7 } }],
    [
      'a refusal of somebody unknown',
      { id: 'getAccountMetrics', path: `/accounts/a/metrics?${window}`, status: 403, got: 7 },
    ],
    [
      'an unknown version where there are none',
      { id: 'queryModel', path: '/a/models/m', sent: {}, status: 400, got: { error: 'invalid_api_version' } },
    ],
    [
      'an error in front of the service',
      { id: 'writeTree', path: '/filesystem/tree/a', sent: { files: {} }, status: 502, got: '<h1>', type: 'text/html' },
    ],
    ['a body that is not shown', { id: 'getSandboxRoot', path: '/', got: 'Hello', type: 'text/plain' }],
    ['a success of any shape', { id: 'listAccounts', path: '/accounts', got: [] }],
    ['a redirect', { id: 'updateAgent', status: 307, got: '' }],
    ['null where the body is not shown', { id: 'queryModel', path: '/demo/models/m', sent: 'null', got: {} }],
  ])('that the interface does not describe: %s', async (_, given) => {
    expect(await check(given)).toEqual({ responseCheck: 'undocumented', violations: [], unchecked: [] });
  });
});

describe('no oracle is used', () => {
  test.each<[string, Given]>([
    ['the answer to HEAD', { id: 'listAccounts', path: '/accounts', method: 'HEAD' }],
    ['a stream', { id: 'watchDirectory', path: '/watch/filesystem/a', got: '/a/b\n', type: 'text/plain' }],
    [
      'server-sent events',
      {
        id: 'createChatCompletion',
        path: '/demo/models/m/chat/completions',
        sent: { messages: [] },
        got: 'data: 1\n\n',
        type: 'text/event-stream',
      },
    ],
    ['messages of MCP', { id: 'postFunctionMcp', path: '/demo/functions/f/mcp', sent: 'nonsense', got: 'nonsense' }],
    ['what was broken off', { id: 'updateAgent', got: '{"metadata":', isComplete: false }],
  ])('about %s', async (_, given) => {
    expect(await check(given)).toMatchObject({ responseCheck: 'not-checked', violations: [] });
  });
});

describe('violations of the target', () => {
  const violationsOf = async (given: Given) => (await check(given)).violations;

  test('if a success has another shape, with the rules of its field', async () => {
    expect(await violationsOf({ id: 'updateAgent', got: { ...agent, status: 'READY' } })).toEqual([
      {
        side: 'target',
        readers: 'both',
        findings: [{ at: '/status', says: expect.stringContaining('"DELETING"') as string }],
        rules: ['resources.shapes.fit-the-schema', 'resources.status.known-value'],
      },
    ]);
  });

  test('if an element of a list has, too', async () => {
    const spec = { triggers: [{ type: 'http' }, { type: 'smoke' }] };
    const [found] = await violationsOf({ id: 'updateAgent', got: { ...agent, spec } });
    expect(found?.findings.map(({ at }) => at)).toEqual(['/spec/triggers/1/type']);
    expect(found?.rules).toContain('agents.triggers.type-known');
  });

  test.each<[string, Given, string, string]>([
    ['no body', { id: 'updateAgent', got: '' }, 'the body is empty, not JSON', 'resources.shapes.fit-the-schema'],
    [
      'a page',
      { id: 'updateAgent', got: '<h1>', type: 'text/html' },
      'the body is not JSON',
      'resources.shapes.fit-the-schema',
    ],
    [
      'another success status',
      { id: 'updateAgent', status: 201, got: [] },
      'the body must be an object; found an array',
      'resources.shapes.fit-the-schema',
    ],
    [
      'an error of the service',
      { id: 'updateAgent', status: 403, got: { error: 7 } },
      '/error must be a string; found 7',
      'errors.management.body-shape',
    ],
    [
      'an error of a sandbox',
      { id: 'readTree', path: '/filesystem/tree/a', status: 404, got: {} },
      '/error is required and missing',
      'errors.sandbox.body-shape',
    ],
    [
      'an unknown version',
      { id: 'updateAgent', status: 400, got: { error: 'invalid_api_version', message: 7 } },
      '/message must be a string; found 7',
      'errors.version.body-shape',
    ],
    [
      'an unknown version for any operation',
      { id: 'deleteUnusedImages', path: '/images', status: 400, got: { error: 'invalid_api_version' } },
      '/message is required and missing',
      'errors.version.body-shape',
    ],
    [
      'the refusal of a caller without the role',
      {
        id: 'getAccountMetrics',
        path: `/accounts/a/metrics?${window}&workspace=a`,
        status: 403,
        got: 'Forbidden',
        adminOnly: 'metrics.roles.workspace-filter-admin-only',
      },
      'the body is not JSON',
      'metrics.roles.workspace-filter-admin-only',
    ],
  ])('in %s', async (_, given, says, rule) => {
    const [found] = await violationsOf(given);
    expect(found?.side).toBe('target');
    expect(found?.readers).toBe('both');
    expect(found?.findings.map((each) => each.says)).toContain(says);
    expect(found?.rules).toContain(rule);
  });
});

describe('violations of the client', () => {
  const metrics = '/accounts/a/metrics';
  const answered = { status: 400, got: { error: 'bad_request' } };

  test.each<[string, Given, string]>([
    ['a field of a wrong type', { id: 'updateAgent', sent: { ...agent, spec: { enabled: 1 } } }, '/spec/enabled'],
    ['a body that is no JSON', { id: 'updateAgent', sent: '{' }, ''],
    ['no body', { id: 'updateAgent', sent: undefined }, ''],
    ['a body where there is none', { id: 'deleteUnusedImages', path: '/images', sent: {} }, ''],
    [
      'a missing parameter',
      { id: 'getAccountMetrics', path: `${metrics}?startTime=2026-10-01T00:00:00Z` },
      'query endTime',
    ],
    [
      'an unknown resolution',
      { id: 'getAccountMetrics', path: `${metrics}?${window}&resolution=yearly` },
      'query resolution',
    ],
    ['an unknown dimension', { id: 'getAccountMetrics', path: `${metrics}?${window}&groupBy=color` }, 'query groupBy'],
    [
      'a version of another form',
      { id: 'listAccounts', path: '/accounts', headers: ['Svc-Version', 'new'] },
      'header Svc-Version',
    ],
  ])('in %s', async (_, given, at) => {
    const { violations } = await check({ ...answered, ...given });
    expect(violations).toMatchObject([{ side: 'client' }]);
    expect(violations[0]?.findings.map((each) => each.at)).toContain(at);
  });

  test('at a header of another brand, as it is spelt and with its rules', async () => {
    const given: Given = { id: 'listAccounts', path: '/accounts', headers: ['ACME-VERSION', 'new'], ...answered };
    const { violations } = await check(given, await readByPrism('Acme'));
    expect(violations[0]?.findings.map(({ at }) => at)).toEqual(['header Acme-Version']);
    expect(violations[0]?.rules).toEqual(['versions.listed.accepted-everywhere']);
  });

  test.each(['/agents/%2e%2e', '/agents//x', '/agents/..'])('nowhere in the odd path %s', async (path) => {
    expect((await check({ id: 'updateAgent', path, ...answered })).violations).toEqual([]);
  });

  test.each<[OperationId, string, unknown]>([
    ['writeTree', '/filesystem/tree/', { files: {} }],
    ['watchDirectory', '/watch/filesystem/', undefined],
  ])("nowhere in %s of the sandbox's root", async (id, path, sent) => {
    expect((await check({ ...answered, id, path, sent })).violations).toEqual([]);
  });

  test('besides the target, if both are', async () => {
    const { violations } = await check({ id: 'updateAgent', sent: { metadata: 7 }, status: 404, got: [] });
    expect(violations.map(({ side }) => side)).toEqual(['client', 'target']);
  });
});
