import OpenAI, { BadRequestError } from 'openai';
import { LengthFinishReasonError } from 'openai/error';
import { zodFunction, zodResponseFormat } from 'openai/helpers/zod';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { scriptedWorld, START } from '../../testing/scripted-world.ts';

let mock: RunningMock;
beforeAll(async () => {
  const world = scriptedWorld([
    { pattern: '^scripted', reply: '{"city":"Lima","days":3}' },
    { pattern: '^delayed', paceMs: 0, delayMs: 0 },
  ]);
  mock = await startMock({ clock: 'frozen', now: START, world });
});
afterAll(() => mock.close());

const clientAt = (path: string): OpenAI =>
  new OpenAI({
    apiKey: mock.target.credentials.apiKey.value,
    baseURL: mock.addresses.inference + path,
    maxRetries: 0,
  });

const ask = (content: string) => ({ model: 'demo', messages: [{ role: 'user' as const, content }] });
const Trip = z.object({ city: z.string(), days: z.int().min(1).max(30), tags: z.array(z.enum(['sea', 'city'])) });
const find = { type: 'function', function: { name: 'find', parameters: z.toJSONSchema(Trip) } } as const;
const sum = { type: 'function', function: { name: 'sum' } } as const;

describe.each(['/demo/models/demo-model', '/demo/models/demo-model/v1'])('the OpenAI client at %s', (path) => {
  test('parses structured output, also of a stream', async () => {
    const { completions } = clientAt(path).chat;
    const format = { ...ask('Plan a trip.'), response_format: zodResponseFormat(Trip, 'trip') };
    const { choices, usage } = await completions.parse(format);
    const [choice] = choices;
    expect(Trip.parse(choice?.message.parsed)).toEqual(choice?.message.parsed);
    expect([choice?.finish_reason, choice?.message.refusal]).toEqual(['stop', null]);
    expect(usage?.completion_tokens).toBeGreaterThan(5);
    const streamed = await completions.stream(format).finalChatCompletion();
    expect(streamed.choices[0]?.message.parsed).toEqual(choice?.message.parsed);
  });

  test('receives a forced call, also of a stream, in pieces', async () => {
    const { completions } = clientAt(path).chat;
    const request = { ...ask('Where to?'), tools: [find, sum], tool_choice: 'required' as const };
    const { choices } = await completions.create(request);
    const message = choices[0]?.message;
    expect(message).toMatchObject({
      content: null,
      tool_calls: [{ id: expect.stringMatching(/^call_[0-9a-f]{24}$/) }],
    });
    const [call] = message?.tool_calls ?? [];
    if (call?.type !== 'function') throw new Error('No function is called.');
    expect([call.function.name, choices[0]?.finish_reason]).toEqual(['find', 'tool_calls']);
    expect(Trip.safeParse(JSON.parse(call.function.arguments)).error).toBeUndefined();
    const runner = completions.stream(request);
    let pieces = 0;
    for await (const chunk of runner) pieces += chunk.choices[0]?.delta.tool_calls?.length ?? 0;
    const streamed = (await runner.finalChatCompletion()).choices[0];
    expect(streamed).toMatchObject({
      message: { tool_calls: [{ function: call.function }] },
      finish_reason: 'tool_calls',
    });
    expect(pieces).toBeGreaterThan(5);
  });
});

type Request = OpenAI.ChatCompletionCreateParamsNonStreaming;
const send = (request: Partial<Request>, content = 'Where to?') =>
  clientAt('/demo/models/demo-model/v1').chat.completions.create({ ...ask(content), ...request });
const messageFor = async (request: Partial<Request>, content?: string) =>
  (await send(request, content)).choices[0]?.message;

test('a named tool is called; one without parameters has an empty object', async () => {
  const message = await messageFor({
    tools: [find, sum],
    tool_choice: { type: 'function', function: { name: 'sum' } },
  });
  expect(message?.tool_calls).toMatchObject([{ function: { name: 'sum', arguments: '{}' } }]);
});

test('of allowed tools, the first that is listed is called, if one must be', async () => {
  const allowed = (mode: 'auto' | 'required') =>
    messageFor({
      tools: [find, sum],
      tool_choice: {
        type: 'allowed_tools',
        allowed_tools: { mode, tools: [{ type: 'function', function: { name: 'sum' } }] },
      },
    });
  expect((await allowed('required'))?.tool_calls).toMatchObject([{ function: { name: 'sum' } }]);
  expect((await allowed('auto'))?.tool_calls).toBeUndefined();
});

test('a custom tool is called with text', async () => {
  const message = await messageFor({ tools: [{ type: 'custom', custom: { name: 'note' } }], tool_choice: 'required' });
  expect(message?.tool_calls).toMatchObject([
    { type: 'custom', custom: { name: 'note', input: expect.stringContaining('Where to?') } },
  ]);
});

// Instructor 1.7.0 sends these members in its mode FUNCTIONS; openai 7.55.0 has them in its types.
test('a forced function of the deprecated members is called, also of a stream', async () => {
  const request = { ...ask('Where to?'), functions: [sum.function, find.function], function_call: { name: 'find' } };
  const { completions } = clientAt('/demo/models/demo-model/v1').chat;
  const [choice] = (await completions.create(request)).choices;
  expect(choice).toMatchObject({ message: { content: null }, finish_reason: 'function_call' });
  expect([choice?.message.function_call?.name, choice?.message.tool_calls]).toEqual(['find', undefined]);
  expect(Trip.safeParse(JSON.parse(choice?.message.function_call?.arguments ?? '')).error).toBeUndefined();
  const [streamed] = (await completions.stream(request).finalChatCompletion()).choices;
  expect(streamed).toMatchObject({
    message: { function_call: choice?.message.function_call },
    finish_reason: 'function_call',
  });
  expect((await messageFor({ ...request, function_call: 'auto' }))?.content).toContain('You said: "Where to?"');
});

test.each(['none', 'auto', undefined] as const)('with tool_choice %s, the reply is text', async (choice) => {
  const message = await messageFor({ tools: [find], ...(choice !== undefined && { tool_choice: choice }) });
  expect(message?.content).toContain('You said: "Where to?"');
  expect(message?.tool_calls).toBeUndefined();
});

test('after the result of a tool, the reply is a normal one, unless a call is still forced', async () => {
  const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: '{}' } } as const;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    ...ask('Where to?').messages,
    { role: 'assistant', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'found' },
  ];
  const request = { messages, tools: [find] };
  expect((await messageFor(request))?.content).toContain('You said: "Where to?"');
  const json = await messageFor({ ...request, response_format: zodResponseFormat(Trip, 'trip') });
  expect(Trip.safeParse(JSON.parse(json?.content ?? '')).error).toBeUndefined();
  expect((await messageFor({ ...request, tool_choice: 'required' }))?.tool_calls).toHaveLength(1);
});

test('the tool runner of the client ends with a reply', async () => {
  const calls: unknown[] = [];
  const runner = clientAt('/demo/models/demo-model/v1').chat.completions.runTools({
    ...ask('Where to?'),
    tools: [zodFunction({ name: 'find', parameters: Trip, function: (trip) => void calls.push(trip) })],
    tool_choice: { type: 'function', function: { name: 'find' } },
  });
  await runner.done();
  expect(calls).toEqual([expect.objectContaining({ days: expect.any(Number) })]);
});

test('json_object is an object with the text', async () => {
  const message = await messageFor({ response_format: { type: 'json_object' } });
  expect(JSON.parse(message?.content ?? '')).toEqual({ output: expect.stringContaining('You said: "Where to?"') });
  expect((await messageFor({ response_format: { type: 'text' } }))?.content).toMatch(/^demo-model/);
});

// Instructor 1.7.0 sends it in its mode JSON_SCHEMA, for servers that take a schema there.
test('json_object with a schema is valid for it', async () => {
  const format = { type: 'json_object', schema: z.toJSONSchema(Trip) } as { type: 'json_object' };
  const message = await messageFor({ response_format: format });
  expect(Trip.safeParse(JSON.parse(message?.content ?? '')).error).toBeUndefined();
});

test('a scripted reply is sent as it is; one that sets only the timing is not a scripted text', async () => {
  const format = { response_format: zodResponseFormat(Trip, 'trip') };
  expect((await messageFor(format, 'scripted'))?.content).toBe('{"city":"Lima","days":3}');
  expect((await messageFor({ tools: [find], tool_choice: 'required' }, 'scripted'))?.tool_calls).toBeUndefined();
  expect(Trip.safeParse(JSON.parse((await messageFor(format, 'delayed'))?.content ?? '')).error).toBeUndefined();
});

test('the value depends on the seed and the prompt', async () => {
  const format = { response_format: zodResponseFormat(z.object({ text: z.string() }), 'answer') };
  const [one, same, other] = [await messageFor(format), await messageFor(format), await messageFor(format, 'Else?')];
  expect(one?.content).toBe(same?.content);
  expect(one?.content).not.toBe(other?.content);
});

test('a token limit cuts the JSON, as that of a model', async () => {
  const request = { ...ask('Plan.'), response_format: zodResponseFormat(Trip, 'trip'), max_tokens: 3 };
  await expect(clientAt('/demo/models/demo-model/v1').chat.completions.parse(request)).rejects.toThrow(
    LengthFinishReasonError,
  );
});

test.each([
  [{ tool_choice: 'required' }, /tool_choice is "required"; allowed: only with tools/],
  [{ tool_choice: 'any', tools: [find] }, /tool_choice is "any"; allowed: none, auto, required/],
  [
    { tool_choice: { type: 'function', function: { name: 'fly' } }, tools: [find, sum] },
    /tool_choice is .* allowed: find, sum/,
  ],
  [{ tool_choice: { type: 'function' }, tools: [find] }, /tool_choice is .* allowed: none, auto/],
  [{ tools: 'find' }, /tools is "find"; allowed: an array/],
  [
    { function_call: { name: 'fly' }, functions: [sum.function] },
    /function_call is .* allowed: none, auto, or the name/,
  ],
  [{ response_format: { type: 'json_object', schema: 7 } }, /response_format\.schema is 7; allowed: a JSON Schema/],
  [{ response_format: 'json' }, /response_format is "json"; allowed: text, json_object, or json_schema/],
  [{ response_format: { type: 'json_schema' } }, /response_format is /],
  [{ response_format: { type: 'xml' } }, /response_format is /],
  [
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: 7 } } },
    /json_schema\.schema is 7; allowed: a JSON Schema/,
  ],
  [
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: false } } },
    /cannot generate a value for response_format\.json_schema\.schema: no finite value is valid for it\..*script the reply/,
  ],
  [
    { tool_choice: 'required', tools: [{ type: 'function', function: { name: 'f', parameters: { $ref: '#/a' } } }] },
    /cannot generate a value for tools\[0\]\.function\.parameters: the reference "#\/a" leads nowhere/,
  ],
])('%j is a bad request, also of a stream', async (wrong, words) => {
  for (const stream of [false, true]) {
    const failing = send({ ...(wrong as object), stream } as unknown as Partial<Request>);
    await expect(failing).rejects.toThrow(BadRequestError);
    await expect(failing).rejects.toThrow(words);
  }
});

test('a refused request is recorded with its status', async () => {
  await send(
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { $ref: '#' } } } },
    'refuse',
  ).catch(() => {});
  expect((await mock.invocations()).findLast(({ inputs }) => inputs === 'refuse')).toMatchObject({ status: 400 });
});
