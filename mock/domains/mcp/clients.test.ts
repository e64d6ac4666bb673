import type { ClientOptions } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { connect, everythingPath, functionPath, sandboxPath } from '../../testing/mcp-client.ts';

let mock: RunningMock;

beforeAll(async () => {
  mock = await startMock({ seed: 3, clock: 'frozen' });
});

afterAll(() => mock.close());

const text = (value: unknown) => [{ type: 'text', text: value }];

const revisions: [string, ClientOptions][] = [
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
];

describe.each(revisions)('the official client with protocol version %s', (revision, options) => {
  test('initializes, lists and calls the tools of a function', async () => {
    await using connected = await connect(mock, functionPath, options);
    const { client } = connected;
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'demo-tools' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'get_weather', 'find_order', 'refund_order']);
    expect(tools[0]?.inputSchema).toMatchObject({ required: ['text'], additionalProperties: false });
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    expect((await call('echo', { text: 'Grüße' })).content).toEqual(text('{"text":"Grüße"}'));
    expect((await call('get_weather', { city: 'Rome' })).content).toEqual(text('21 °C and sunny.'));
    expect((await call('find_order', { number: 7 })).structuredContent).toMatchObject({ status: 'shipped' });
    expect(await call('refund_order', { number: 7 })).toMatchObject({ isError: true });
    expect(await call('echo', { text: 7 })).toMatchObject({ isError: true });
    await expect(call('no_such_tool', {})).rejects.toMatchObject({ code: -32602 });
  });

  test('reads and writes the files of a sandbox', async () => {
    await using connected = await connect(mock, sandboxPath, options);
    const { client } = connected;
    const names = (await client.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(['list_directory', 'read_file', 'write_file', 'write_tree']);
    const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });
    expect((await call('read_file', { path: 'app/README.md' })).content).toEqual(
      text(expect.stringContaining('# Demo')),
    );
    const file = `/desk/${revision}/notes.txt`;
    expect((await call('write_file', { path: file, content: 'é' })).content).toEqual(text(file));
    expect((await call('write_tree', { path: '/desk', files: { 'a/b': '1', c: '2' } })).content).toEqual(
      text('/desk/a/b\n/desk/c'),
    );
    expect((await call('list_directory', { path: `/desk/${revision}` })).structuredContent).toMatchObject({
      files: [{ name: 'notes.txt', size: 2 }],
      subdirectories: [],
    });
    for (const [tool, args, says] of [
      ['read_file', { path: '/none' }, 'File "/none" does not exist.'],
      ['list_directory', { path: '/app/README.md' }, '"/app/README.md" is a file; expected a directory.'],
      ['write_file', { path: '/app', content: '' }, '"/app" is a directory; expected a file.'],
      ['write_file', { path: '/', content: '' }, expect.stringContaining('the path of a file')],
      ['write_tree', { path: '/desk', files: { '../../..': '' } }, expect.stringContaining('the path of a file')],
    ] as const) {
      expect(await call(tool, args)).toMatchObject({ isError: true, content: text(says) });
    }
  });

  test('handles elicitation and sampling requests of a tool', async () => {
    await using connected = await connect(mock, everythingPath, {
      ...options,
      capabilities: { elicitation: {}, sampling: {} },
    });
    const { client } = connected;
    client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { response: 'blue' } }));
    client.setRequestHandler('sampling/createMessage', () => ({
      role: 'assistant',
      model: 'm',
      content: { type: 'text', text: 'Hello.' },
    }));
    const elicited = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Which colour?' } });
    expect(elicited.content).toEqual(text('The user chose accept: {"response":"blue"}'));
    const sampled = await client.callTool({ name: 'test_sampling', arguments: { prompt: 'Say hello' } });
    expect(sampled.content).toEqual(text('The model said: {"type":"text","text":"Hello."}'));
  });

  test('reads resources and prompts, and completes arguments', async () => {
    await using connected = await connect(mock, everythingPath, options);
    const { client } = connected;
    expect((await client.readResource({ uri: 'test://template/42/data' })).contents[0]).toMatchObject({
      text: expect.stringContaining('Data for ID: 42'),
    });
    const prompt = { name: 'test_prompt_with_arguments', arguments: { arg1: 'one', arg2: 'two' } };
    expect(JSON.stringify(await client.getPrompt(prompt))).toContain("arg1='one' and arg2='two'");
    const ref = { type: 'ref/prompt', name: prompt.name } as const;
    const { completion } = await client.complete({ ref, argument: { name: 'arg1', value: 'hel' } });
    expect(completion.values).toEqual(['hello', 'help']);
  });
});

test('a client that is disconnected during a call resumes and gets the result', async () => {
  await using connected = await connect(mock, everythingPath);
  const { content } = await connected.client.callTool({ name: 'test_reconnection', arguments: {} });
  expect(content).toEqual(text('The client came back.'));
});

test('files that the sandbox MCP server writes appear in the filesystem API and in watch streams', async () => {
  const headers = { authorization: `Bearer ${mock.target.credentials.admin.value}` };
  const box = `${mock.addresses.host}/sandbox/demo/demo-box`;
  await using connected = await connect(mock, sandboxPath);
  const watched = await fetch(`${box}/watch/filesystem/app`, { headers });
  await connected.client.callTool({ name: 'write_file', arguments: { path: '/app/new.txt', content: 'x' } });
  const reader = watched.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('/app/new.txt\n');
  await reader?.cancel();
  const listing = await (await fetch(`${box}/filesystem/tree/app`, { headers })).json();
  expect(listing).toMatchObject({ files: expect.arrayContaining([expect.objectContaining({ name: 'new.txt' })]) });
});
