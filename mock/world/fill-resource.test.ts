import { expect, test } from 'vitest';
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { ResourceFile, ToolFile } from '../../spec/formats/world-file.ts';
import { callEndpoint, frozenWorld, NOW } from '../testing/call-endpoint.ts';
import { sandboxOf } from '../domains/sandbox/find-sandbox.ts';
import { listDirectory } from '../domains/sandbox/filesystem.ts';
import { findResource } from '../state/resources.ts';
import { worldFile } from './check-world-file.ts';
import { readWorldFile } from './read-world-file.ts';
import type { World } from './world.ts';

const tools: ToolFile[] = [{ name: 'pay', result: 'paid' }];

function worldWith(...resources: ResourceFile[]): World {
  return frozenWorld({ ...defaultWorld(1, NOW), resources });
}

function filesOf(world: World, sandboxName: string, path: string) {
  const workspace = world.workspaces.get('demo');
  if (workspace === undefined) throw new Error('There is no workspace demo.');
  const sandbox = sandboxOf({ world, workspace, path: { sandboxName } });
  const { files = [], subdirectories = [] } = listDirectory(sandbox.filesystem, path);
  return { files, subdirectories };
}

test('a sandbox starts with the files of the world, with its own creation time', () => {
  const createdAt = '2026-10-01T00:00:00Z';
  const files = { 'app/a.txt': 'é', '/srv/b/c': '' };
  const world = worldWith({ workspace: 'demo', collection: 'sandboxes', name: 'box', createdAt, files });
  expect(filesOf(world, 'box', '/app').files).toMatchObject([
    { path: '/app/a.txt', size: 2, lastModified: '2026-10-01T00:00:00.000Z' },
  ]);
  expect(filesOf(world, 'box', '/srv').subdirectories).toEqual([{ name: 'b', path: '/srv/b' }]);
  expect(filesOf(world, 'box', '/tmp').files).toEqual([]);
});

test('the sandbox demo-box holds a few files', () => {
  const { files, subdirectories } = filesOf(frozenWorld(), 'demo-box', '/app');
  expect([files.length, subdirectories.map(({ name }) => name)]).toEqual([2, ['src']]);
});

test('a function keeps its tools on update and never returns them', async () => {
  const world = worldWith({ workspace: 'demo', collection: 'functions', name: 'f', tools });
  const body = { metadata: { name: 'f' }, spec: { type: 'mcp' } };
  const response = await callEndpoint(world, 'updateFunction', { path: { functionName: 'f' }, body });
  expect(response.status).toBe(200);
  expect(findResource(world, 'demo/functions', 'f')?.tools).toEqual(tools);
  expect(JSON.stringify(response.body)).not.toContain('pay');
});

test.each<[string, Partial<ResourceFile>, string]>([
  ['tools of an agent', { collection: 'agents', tools }, 'agents "x" has tools; allowed: in functions.'],
  ['files of a function', { collection: 'functions', files: {} }, 'functions "x" has files; allowed: in sandboxes.'],
  ['a file without a name', { collection: 'sandboxes', files: { '/app/': '' } }, 'allowed: the path of a file'],
  [
    'a file at the path of a directory',
    { collection: 'sandboxes', files: { '/app': '' } },
    '"/app" is a directory; expected a file.',
  ],
])('%s are rejected', (_, resource, says) => {
  expect(() => worldWith({ workspace: 'demo', collection: 'agents', name: 'x', ...resource })).toThrow(says);
});

test.each<[string, unknown, string]>([
  ['a tool without a name', [{ description: 'x' }], 'Missing key "name" in resources[0].tools[0]'],
  ['a name with a space', [{ name: 'a b' }], 'tools[0].name: "a b" is not 1 to 128 letters'],
  [
    'a result of another type',
    [{ name: 'a', result: 7 }],
    'tools[0].result: 7 is not a string or an object with the keys content',
  ],
  [
    'a result with an unknown key',
    [{ name: 'a', result: { txt: '' } }],
    'Unknown key "txt" in resources[0].tools[0].result.',
  ],
  ['an unknown word', 'all', 'tools: "all" is not "everything" or an array of tools'],
  [
    'arguments that are not an object',
    [{ name: 'a', inputSchema: { type: 'array' } }],
    'inputSchema.type: "array" is not "object"',
  ],
  [
    'an invalid schema',
    [{ name: 'a', inputSchema: { properties: { x: { type: 'objekt' } } } }],
    'tool "a": inputSchema is not a JSON Schema',
  ],
  ['two tools of one name', [{ name: 'a' }, { name: 'b' }, { name: 'a' }], 'tools names "a" twice; allowed: once.'],
])('a world file with %s is rejected, with the place', (_, wrong, says) => {
  const resource = { workspace: 'demo', collection: 'functions', name: 'f', spec: {}, tools: wrong };
  const file = { ...defaultWorld(1, NOW), resources: [resource] };
  expect(() => worldFile(JSON.parse(JSON.stringify(file)), 'my.yaml')).toThrow(says);
});

test('the small world has a function with tools, and a sandbox with files', async () => {
  const world = frozenWorld(await readWorldFile('fixtures/worlds/small.yaml'));
  expect(findResource(world, 'shop/functions', 'shop-tools')?.tools).toHaveLength(2);
});
