/** The MCP server of a function: the tools of the world file, which return a scripted result or echo their arguments. */
import { fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { ToolFile } from '../../../spec/formats/world-file.ts';
import type { Resource } from '../../state/resources.ts';
import { everythingServer } from './everything/everything-server.ts';

/** For functions without tools in the world file. */
const DEFAULT_TOOLS: ToolFile[] = [
  { name: 'echo', description: 'Returns its arguments.', annotations: { readOnlyHint: true } },
];

export function functionServer({ name, tools = DEFAULT_TOOLS }: Pick<Resource, 'name' | 'tools'>): McpServer {
  if (tools === 'everything') return everythingServer(name);
  const server = new McpServer({ name, version: '1.0.0' });
  for (const tool of tools) {
    const { title, description, inputSchema = {}, annotations, result } = tool;
    server.registerTool(
      tool.name,
      {
        ...(title !== undefined && { title }),
        description: description ?? tool.name,
        ...(annotations !== undefined && { annotations }),
        inputSchema: fromJsonSchema({ type: 'object', ...inputSchema }),
      },
      (args): CallToolResult => scripted(result ?? JSON.stringify(args)),
    );
  }
  return server;
}

function scripted(result: NonNullable<ToolFile['result']>): CallToolResult {
  if (typeof result === 'string') return { content: [{ type: 'text', text: result }] };
  const { text, content, structuredContent, isError } = result;
  return {
    content: (content as CallToolResult['content'] | undefined) ?? [
      { type: 'text', text: text ?? JSON.stringify(structuredContent ?? {}) },
    ],
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError !== undefined && { isError }),
  };
}
