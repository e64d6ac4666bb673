/** Tools that respond without requests to the client: all content types, logging, progress, an error, an interrupted stream. */
import { fromJsonSchema, type CallToolResult, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PICTURE, SOUND } from './media.ts';

type Content = CallToolResult['content'][number];

const picture: Content = { type: 'image', ...PICTURE };
const text = (value: string): Content => ({ type: 'text', text: value });

/** Tools without arguments that always return the same result. */
const constant: readonly { name: string; description: string; content: Content[] }[] = [
  { name: 'test_simple_text', description: 'Returns text.', content: [text('This is a simple text response.')] },
  { name: 'test_image_content', description: 'Returns an image.', content: [picture] },
  { name: 'test_audio_content', description: 'Returns audio.', content: [{ type: 'audio', ...SOUND }] },
  {
    name: 'test_embedded_resource',
    description: 'Returns an embedded resource.',
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource.')],
  },
  {
    name: 'test_multiple_content_types',
    description: 'Returns text, an image and a resource.',
    content: [
      text('Text, a picture and a resource:'),
      picture,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
];

/** Keeps keywords of JSON Schema 2020-12 that a conversion might lose. */
const ADDRESS_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } },
  },
  properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
  additionalProperties: false,
};

export function registerTools(server: McpServer): void {
  for (const { name, description, content } of constant) {
    server.registerTool(name, { description }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool always fails.');
  });
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has an input schema with $schema, $defs and $ref.', inputSchema: fromJsonSchema(ADDRESS_SCHEMA) },
    (args) => ({ content: [text(JSON.stringify(args))] }),
  );
  registerNotifyingTools(server);
}

function registerNotifyingTools(server: McpServer): void {
  const inputSchema = z.object({});
  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs three messages while it works.', inputSchema },
    async (_args, { mcpReq }) => {
      for (const step of ['started', 'processing data', 'completed'])
        await mcpReq.log('info', `Tool execution: ${step}`);
      return { content: [text('Logged three messages.')] };
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress if requested.', inputSchema },
    async (_args, { mcpReq }) => {
      const { _meta: meta } = mcpReq;
      const progressToken = meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
        const params = { progressToken: progressToken ?? '', progress, total: 100, message: `Step ${progress} of 100` };
        await mcpReq.notify({ method: 'notifications/progress', params });
      }
      return { content: [text(String(progressToken ?? 'No progress was requested.'))] };
    },
  );
  server.registerTool(
    'test_reconnection',
    { description: 'Closes the stream early; the response is sent when the client resumes it.', inputSchema },
    (_args, { http }) => {
      http?.closeSSE?.();
      return { content: [text('The client came back.')] };
    },
  );
}

function resource(uri: string, mimeType: string, content: string): Content {
  return { type: 'resource', resource: { uri, mimeType, text: content } };
}
