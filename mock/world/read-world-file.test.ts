import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import { completeWorld } from '../../fixtures/worlds/named-worlds.ts';
import { WorldFileError } from './load.ts';
import { worldFile } from './check-world-file.ts';
import { readWorldFile } from './read-world-file.ts';

const NOW = Date.parse('2026-11-21T07:00:00Z');
const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'world-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, text: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
}

test('the default world is a valid world file', () => {
  const file = asJson(defaultWorld(1, NOW));
  expect(worldFile(file, 'default')).toEqual(defaultWorld(1, NOW));
});

test('a file can extend the default world', () => {
  const file = worldFile({ extends: 'default', deploy: { building: '2s' }, mcpOrigins: [] }, 'my.yaml');
  expect(completeWorld(file, 1, NOW)).toEqual({ ...defaultWorld(1, NOW), deploy: { building: '2s' }, mcpOrigins: [] });
});

test.each([
  [{ extends: 'other' }, 'extends: "other" is not one of default, empty, failing-deployments, large.'],
  [{ extends: 'default', deploi: {} }, 'Unknown key "deploi". Did you mean "deploy"?'],
  [{ extends: 'default', accounts: {} }, 'accounts: an object is not an array.'],
  [
    { extends: 'default', deploy: { failures: [{ resource: 'volumes/data', at: 'building' }] } },
    'deploy.failures[0].at: "building" is not deploying, the only phase of volumes, VPCs and custom domains.',
  ],
  [{ deploy: {} }, 'Missing key "accounts": expected an array, or extends: default.'],
])('%j is rejected', (value, message) => {
  expect(() => worldFile(value, 'my.yaml')).toThrow(`my.yaml: ${message}`);
});

test('the same world can be written in YAML and JSON', async () => {
  const small = await readWorldFile('fixtures/worlds/small.yaml');
  expect(await readWorldFile(await written('small.json', JSON.stringify(small)))).toEqual(small);
});

test('a message names a file that is missing or neither YAML nor JSON', async () => {
  await expect(readWorldFile(path.join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml does not exist/);
  await expect(readWorldFile(await written('bad.yaml', 'accounts: [}'))).rejects.toThrow(
    /bad\.yaml is neither YAML nor JSON/,
  );
});

describe('messages name the first mistake and what is allowed', () => {
  const reading = (edit: (file: ReturnType<typeof asJson>) => void) => {
    const file = asJson({
      ...defaultWorld(1, NOW),
      resources: [{ workspace: 'demo', collection: 'agents', name: 'a', spec: {} }],
    });
    edit(file);
    return () => worldFile(file, 'my.yaml');
  };

  test.each<[string, (file: ReturnType<typeof asJson>) => void, string]>([
    [
      'an unknown top-level key',
      (file) => (file.acounts = []),
      'my.yaml: Unknown key "acounts". Did you mean "accounts"?',
    ],
    [
      'an unknown nested key',
      (file) => (file.callers[1].rol = 'x'),
      'my.yaml: Unknown key "rol" in callers[1]. Allowed: id, kind, account, accountRole, workspaces.',
    ],
    [
      'a missing key',
      (file) => delete file.accounts[0].plan,
      'my.yaml: Missing key "plan" in accounts[0]: expected a string.',
    ],
    [
      'a value that is not in an enum',
      (file) => (file.callers[0].kind = 'robot'),
      'my.yaml: callers[0].kind: "robot" is not one of user, service-account.',
    ],
    [
      'an unknown scope',
      (file) => (file.credentials[0].scopes = ['agents:fly']),
      'my.yaml: credentials[0].scopes[0]: "agents:fly" is not one of admin, agents:create',
    ],
    [
      'an invalid name',
      (file) => (file.workspaces[0].name = 'Demo'),
      'my.yaml: workspaces[0].name: "Demo" is not 1 to 49 lowercase letters, digits and hyphens.',
    ],
    [
      'an invalid region',
      (file) => (file.workspaces[0].region = 'eu west'),
      'my.yaml: workspaces[0].region: "eu west" is not 1 to 63 lowercase letters, digits and hyphens.',
    ],
    [
      'secret keys that are not an array',
      (file) => (file.integrations[0].secretKeys = 'TOKEN'),
      'my.yaml: integrations[0].secretKeys: "TOKEN" is not an array.',
    ],
    [
      'an unknown key of an integration',
      (file) => (file.integrations[0].secretkeys = []),
      'my.yaml: Unknown key "secretkeys" in integrations[0]. Did you mean "secretKeys"? Allowed: name, secretKeys',
    ],
    [
      'an impossible date',
      (file) => (file.resources[0].createdAt = '2026-02-30T00:00:00Z'),
      'my.yaml: resources[0].createdAt: "2026-02-30T00:00:00Z" is not an RFC 3339 timestamp',
    ],
    [
      'an unknown collection',
      (file) => (file.resources[0].collection = 'agent'),
      'my.yaml: resources[0].collection is "agent"; allowed: agents, functions',
    ],
    [
      'a spec that violates the API document',
      (file) => (file.resources[0].spec = { enabled: 'yes' }),
      'my.yaml: resources[0], agents "a": spec.enabled must be a boolean; found "yes".',
    ],
    [
      'a client secret, without quoting it',
      (file) => (file.clients[0].secret = 12_345_678),
      'my.yaml: clients[0].secret: a number is not a string.',
    ],
    [
      'an MCP result with an unknown key',
      (file) => (file.resources[0].tools = [{ name: 't', result: { txt: 'hi' } }]),
      'Unknown key "txt" in resources[0].tools[0].result. Allowed: content, text',
    ],
    [
      'a display name of 64 characters',
      (file) => (file.resources[0].displayName = 'é'.repeat(64)),
      'is not at most 63 characters long.',
    ],
  ])('%s', (_what, edit, sentence) => {
    expect(reading(edit)).toThrow(WorldFileError);
    expect(reading(edit)).toThrow(sentence);
  });

  test('a display name of 63 characters outside the basic plane is accepted', () => {
    expect(reading((file) => (file.resources[0].displayName = '🐟'.repeat(63)))).not.toThrow();
  });

  test('an empty file', () => {
    expect(() => worldFile(null, 'my.yaml')).toThrow(
      'my.yaml: Expected an object with the keys extends, accounts, workspaces',
    );
  });
});
