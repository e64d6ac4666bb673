import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import { WorldFileError } from './load.ts';
import { readWorldFile, worldFile } from './read-world-file.ts';

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

test('the default world has the form of a world file', () => {
  const file = asJson(defaultWorld(1, NOW));
  expect(worldFile(file, 'default')).toEqual(defaultWorld(1, NOW));
});

test('YAML and JSON are read alike', async () => {
  const small = await readWorldFile('fixtures/worlds/small.yaml');
  expect(await readWorldFile(await written('small.json', JSON.stringify(small)))).toEqual(small);
});

test('a file that is missing or neither YAML nor JSON is refused by name', async () => {
  await expect(readWorldFile(path.join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml cannot be read/);
  await expect(readWorldFile(await written('bad.yaml', 'accounts: [}'))).rejects.toThrow(
    /bad\.yaml is neither YAML nor JSON/,
  );
});

describe('a fault is named with what is allowed', () => {
  const faulty = (edit: (file: ReturnType<typeof asJson>) => void) => {
    const file = asJson({
      ...defaultWorld(1, NOW),
      resources: [{ workspace: 'demo', collection: 'agents', name: 'a', spec: {} }],
    });
    edit(file);
    return () => worldFile(file, 'my.yaml');
  };

  test.each<[string, (file: ReturnType<typeof asJson>) => void, string]>([
    [
      'an unknown key at the top',
      (file) => (file.acounts = []),
      'my.yaml: the file has the unknown key "acounts"; allowed: accounts, workspaces',
    ],
    [
      'an unknown key below',
      (file) => (file.callers[1].rol = 'x'),
      'my.yaml: callers[1] has the unknown key "rol"; allowed: id, kind, account, accountRole, workspaces.',
    ],
    ['a missing key', (file) => delete file.accounts[0].plan, 'my.yaml: accounts[0].plan is required and missing.'],
    [
      'a bad value',
      (file) => (file.callers[0].kind = 'robot'),
      'my.yaml: callers[0].kind must be one of "user", "service-account"; found "robot".',
    ],
    [
      'a bad scope',
      (file) => (file.credentials[0].scopes = ['agents:fly']),
      'my.yaml: credentials[0].scopes[0] must be one of "admin", "agents:create"',
    ],
    [
      'a bad name',
      (file) => (file.workspaces[0].name = 'Demo'),
      'my.yaml: workspaces[0].name must be 1 to 49 lowercase letters, digits and hyphens; found "Demo".',
    ],
    [
      'a bad region',
      (file) => (file.workspaces[0].region = 'eu west'),
      'my.yaml: workspaces[0].region must be 1 to 63 lowercase letters, digits and hyphens; found "eu west".',
    ],
    [
      'secret keys that are no list',
      (file) => (file.integrations[0].secretKeys = 'TOKEN'),
      'my.yaml: integrations[0].secretKeys must be an array; found "TOKEN".',
    ],
    [
      'an unknown key of an integration',
      (file) => (file.integrations[0].secretkeys = []),
      'my.yaml: integrations[0] has the unknown key "secretkeys"; allowed: name, secretKeys',
    ],
    [
      'a bad time',
      (file) => (file.resources[0].createdAt = '2026-02-30T00:00:00Z'),
      'my.yaml: resources[0].createdAt must be an RFC 3339 timestamp',
    ],
    [
      'an unknown collection',
      (file) => (file.resources[0].collection = 'agent'),
      'my.yaml: resources[0].collection is "agent"; allowed: agents, functions',
    ],
    [
      'a spec off the document',
      (file) => (file.resources[0].spec = { enabled: 'yes' }),
      'my.yaml: resources[0], agents "a": spec.enabled must be a boolean; found "yes".',
    ],
  ])('%s', (_what, edit, sentence) => {
    expect(faulty(edit)).toThrow(WorldFileError);
    expect(faulty(edit)).toThrow(sentence);
  });

  test('an empty file', () => {
    expect(() => worldFile(null, 'my.yaml')).toThrow('my.yaml: the file must be an object; found null.');
  });
});
