import OpenAI, { AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { scriptedWorld, START } from '../../testing/scripted-world.ts';

const TOOL_CALL = {
  index: 0,
  message: {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } }],
  },
  finish_reason: 'tool_calls',
};

let mock: RunningMock;
beforeAll(async () => {
  const world = scriptedWorld([
    { workload: 'models/demo-model', pattern: '(?i:capital of (\\w+))', reply: 'The capital of $1 is on the map.' },
    { pattern: '^slowly', reply: 'One two three.', paceMs: 1000 },
    { pattern: '^use the tool', body: { choices: [TOOL_CALL] } },
    { pattern: '^say it', body: { choices: [{ message: { content: 'As you wish.' } }] } },
    { pattern: '^fail', error: { status: 429, error: 'rate_limited', message: 'Slow down.' } },
  ]);
  mock = await startMock({ clock: 'frozen', now: START, world });
});
afterAll(() => mock.close());

const addresses = ['/demo/models/demo-model', '/demo/models/demo-model/v1'];

function client(path = '/demo/models/demo-model/v1', apiKey = mock.target.credentials.apiKey.value): OpenAI {
  return new OpenAI({ apiKey, baseURL: mock.addresses.inference + path, maxRetries: 0 });
}

const prompt = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is the capital of France?' },
] as const;
const chatRequest = { model: 'demo', messages: [...prompt] };

describe.each(addresses)('the OpenAI client at %s', (path) => {
  test('receives a completion', async () => {
    const completion = await client(path).chat.completions.create(chatRequest);
    expect(completion).toEqual({
      id: expect.stringMatching(/^chatcmpl-[0-9a-f]{24}$/),
      object: 'chat.completion',
      created: Math.floor(START / 1000),
      model: 'demo',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'The capital of France is on the map.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 },
    });
  });

  test('receives a stream: the role, the text in chunks, then the finish reason and usage', async () => {
    const stream = await client(path).chat.completions.create({
      ...chatRequest,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
      'The capital of France is on the map.',
    );
    expect(chunks.at(-2)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 21 } });
    expect(chunks.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });
});

test('without include_usage no chunk contains usage', async () => {
  const stream = await client().chat.completions.create({ ...chatRequest, stream: true });
  for await (const chunk of stream) expect(Object.keys(chunk)).not.toContain('usage');
});

test('the stream helper of the client assembles the chunks', async () => {
  const runner = client().chat.completions.stream({ ...chatRequest, n: 2 });
  const { choices } = await runner.finalChatCompletion();
  expect(choices.map(({ message }) => message.content)).toEqual(Array(2).fill('The capital of France is on the map.'));
});

test('a completion ends at max_tokens or a stop sequence', async () => {
  const { choices, usage } = await client().chat.completions.create({ ...chatRequest, max_tokens: 3 });
  expect([choices[0]?.message.content, choices[0]?.finish_reason, usage?.completion_tokens]).toEqual([
    'The capital of',
    'length',
    3,
  ]);
  const stopped = await client().chat.completions.create({ ...chatRequest, stop: [' is'] });
  expect(stopped.choices[0]).toMatchObject({ message: { content: 'The capital of France' }, finish_reason: 'stop' });
});

test('without a script, the last user message is repeated', async () => {
  const messages = [
    ...prompt,
    { role: 'assistant' as const, content: 'Paris.' },
    { role: 'user' as const, content: 'And of Peru?' },
  ];
  const { choices } = await client().chat.completions.create({ model: 'demo', messages });
  expect(choices[0]?.message.content).toMatch(/^demo-model \([0-9a-f]{8}\): You said: "And of Peru\?"\.$/);
});

test('a conversation may contain every kind of message of the protocol', async () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } } as const;
  const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } } as const;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
    { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    {
      role: 'user',
      content: [{ type: 'text', text: 'What is' }, image, { type: 'text', text: 'the capital of Chad?' }],
    },
  ];
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'find', parameters: {} } }];
  const { choices, usage } = await client().chat.completions.create({
    model: 'demo',
    messages,
    tools,
    tool_choice: 'required',
  });
  expect(choices[0]).toMatchObject({
    message: { content: 'The capital of Chad is on the map.' },
    finish_reason: 'stop',
  });
  // Of roles and texts alone: 1 + 3, 1, 1, 1 + 1, 1, 1 + 7.
  expect(usage?.prompt_tokens).toBe(17);
});

test('the text parts of a message are joined as lines', async () => {
  const content = ['One', 'two'].map((text) => ({ type: 'text' as const, text }));
  const { choices } = await client().chat.completions.create({ model: 'demo', messages: [{ role: 'user', content }] });
  expect(choices[0]?.message.content).toContain('You said: "One\\ntwo".');
});

test('a scripted body may call a tool', async () => {
  const messages = [{ role: 'user' as const, content: 'use the tool' }];
  const { choices } = await client().chat.completions.create({ model: 'demo', messages });
  expect(choices[0]).toEqual(TOOL_CALL);
});

test('a scripted body is streamed as chunks, tool calls included, with the finish reason and usage at the end', async () => {
  const messages = [{ role: 'user' as const, content: 'use the tool' }];
  const asks = { model: 'demo', messages, stream: true as const };
  const deltas = [];
  const stream = await client().chat.completions.create({ ...asks, stream_options: { include_usage: true } });
  for await (const { object, choices, usage } of stream) deltas.push([object, choices[0]?.delta, usage?.total_tokens]);
  const [call] = TOOL_CALL.message.tool_calls;
  const object = 'chat.completion.chunk';
  expect(deltas).toEqual([
    [object, { role: 'assistant', content: null }, undefined],
    [object, { tool_calls: [{ index: 0, ...call, function: { name: 'find', arguments: '' } }] }, undefined],
    [object, { tool_calls: [{ index: 0, function: { arguments: '{' } }] }, undefined],
    [object, { tool_calls: [{ index: 0, function: { arguments: '}' } }] }, undefined],
    [object, {}, undefined],
    [object, undefined, expect.any(Number)],
  ]);
  const whole = await client().chat.completions.stream(asks).finalChatCompletion();
  expect(whole.choices[0]).toMatchObject({ message: TOOL_CALL.message, finish_reason: 'tool_calls' });
});

test('the text of a scripted body is streamed token by token', async () => {
  const messages = [{ role: 'user' as const, content: 'say it as scripted' }];
  const whole = { choices: [{ message: { content: 'As you wish.' } }] };
  const pieces = [];
  for await (const { choices } of await client().chat.completions.create({ model: 'demo', messages, stream: true }))
    pieces.push(choices[0]?.delta.content ?? choices[0]?.finish_reason);
  expect(pieces).toEqual(['', 'As', ' you', ' wish', '.', 'stop']);
  expect(await client().chat.completions.create({ model: 'demo', messages })).toEqual(whole);
});

describe('errors have the classes of the client', () => {
  test('a wrong key', async () => {
    await expect(client(undefined, 'wrong').chat.completions.create(chatRequest)).rejects.toThrow(AuthenticationError);
  });

  test('an unknown model', async () => {
    const unknown = client('/demo/models/no-such-model').chat.completions.create(chatRequest);
    await expect(unknown).rejects.toThrow(NotFoundError);
  });

  test('a scripted error, before the stream begins', async () => {
    const messages = [{ role: 'user' as const, content: 'fail' }];
    const failing = client().chat.completions.create({ model: 'demo', messages, stream: true });
    await expect(failing).rejects.toThrow(RateLimitError);
    await expect(failing).rejects.toMatchObject({ message: '429 Slow down.', type: 'rate_limited' });
  });

  test.each([
    [{ messages: [] }],
    [{ stream: 'yes' }],
    [{ n: 0 }],
    [{ n: 1.5 }],
    [{ n: 1000 }],
    [{ max_tokens: -1 }],
    [{ stop: [1] }],
    [{ stop: ['a', 'b', 'c', 'd', 'e'] }],
    [{ model: 7 }],
    [{ stream_options: { include_usage: true } }],
    [{ stream: true, stream_options: 1 }],
    [{ stream: true, stream_options: { include_usage: 1 } }],
    [{ messages: [{ role: 'user' }] }],
    [{ messages: 'hello' }],
    [{ messages: undefined }],
    [{ messages: [{ content: 'Hello.' }] }],
    [{ messages: [{ role: 'user', content: null }] }],
    [{ messages: [{ role: 'user', content: 7 }] }],
    [{ messages: [{ role: 'user', content: ['Hello.'] }] }],
    [{ messages: [{ role: 'user', content: [null] }] }],
    [{ messages: [{ role: 'user', content: [{ text: 'Hello.' }] }] }],
    [{ messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
  ])('%j is a bad request', async (wrong) => {
    const body = { ...chatRequest, ...wrong } as unknown as typeof chatRequest;
    await expect(client().chat.completions.create(body)).rejects.toThrow(BadRequestError);
  });
});

test('a paced stream follows the virtual clock and stops when the client disconnects', async () => {
  const messages = [{ role: 'user' as const, content: 'slowly' }];
  const stream = await client().chat.completions.create({ model: 'demo', messages, stream: true });
  const heard: string[] = [];
  const reading = (async () => {
    for await (const { choices } of stream) heard.push(choices[0]?.delta.content ?? '');
  })();
  for (const expected of [[''], ['', 'One'], ['', 'One', ' two']]) {
    await expect.poll(() => [heard.length, mock.world.timers.count()]).toEqual([expected.length, 1]);
    expect(heard).toEqual(expected);
    mock.world.clock.advance(1000);
  }
  stream.controller.abort();
  await reading;
  await expect.poll(() => mock.world.timers.count()).toBe(0);
});

test('a model API accepts any request', async () => {
  const send = async (body: string) => {
    const response = await fetch(`${mock.addresses.inference}/demo/models/demo-model`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${mock.target.credentials.apiKey.value}`,
      },
      body,
    });
    return { status: response.status, body: await response.json() };
  };
  expect((await send('{"inputs":"Translate cat"}')).body).toEqual({
    model: 'demo-model',
    inputs: { inputs: 'Translate cat' },
    outputs: expect.stringContaining('You said: "Translate cat"'),
  });
  for (const body of ['[]', '7', 'null', '{"a":{"b":[1]}}']) expect((await send(body)).status).toBe(200);
  expect((await send('nonsense')).status).toBe(400);
});
