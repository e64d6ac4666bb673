/** The MCP server of a function: the tools of the world file, which return a scripted result or echo their arguments. */
import { fromJsonSchema, McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import type { ToolFile } from '../../../spec/formats/world-file.ts';
import type { Resource } from '../../state/resources.ts';
import { toolSchemaAjv } from './tool-schemas.ts';
import { addMailTool, MAIL_TOOL, type SendMail } from './mail-tools.ts';
import { everythingServer } from './everything/everything-server.ts';

/** For functions without tools in the world file. */
const DEFAULT_TOOLS: ToolFile[] = [
  { name: 'echo', description: 'Returns its arguments.', annotations: { readOnlyHint: true } },
];

/** What a function can do through its integration connections. */
export interface Connected {
  /** Why it cannot use them, in a sentence; undefined if it can, or has none. */
  readonly problem: () => string | undefined;
  /** Absent without a mail connection. */
  readonly send?: SendMail;
}

export function functionServer(
  { name, tools = DEFAULT_TOOLS }: Pick<Resource, 'name' | 'tools'>,
  { problem, send }: Connected = { problem: () => undefined },
): McpServer {
  const refuse = (server: McpServer) => refuseTools(server, problem);
  const server = tools === 'everything' ? everythingServer(name, refuse) : new McpServer({ name, version: '1.0.0' });
  if (tools !== 'everything') {
    refuse(server);
    addTools(server, tools);
  }
  if (send !== undefined && !hasOwnMailTool(tools)) addMailTool(server, send);
  return server;
}

function hasOwnMailTool(tools: NonNullable<Resource['tools']>): boolean {
  return tools !== 'everything' && tools.some(({ name }) => name === MAIL_TOOL);
}

/** Every tool that is registered afterwards returns an error while there is a problem. */
function refuseTools(server: McpServer, problem: () => string | undefined): void {
  const register = server.registerTool.bind(server) as (name: string, config: object, run: AnyTool) => unknown;
  const guarded =
    (run: AnyTool): AnyTool =>
    (...args) => {
      const refusal = problem();
      return refusal === undefined ? run(...args) : { content: [{ type: 'text', text: refusal }], isError: true };
    };
  Object.assign(server, {
    registerTool: (name: string, config: object, run: AnyTool) => register(name, config, guarded(run)),
  });
}

type AnyTool = (...args: readonly unknown[]) => unknown;

function addTools(server: McpServer, tools: readonly ToolFile[]): void {
  for (const tool of tools) {
    const { title, description, inputSchema = {}, annotations, result } = tool;
    server.registerTool(
      tool.name,
      {
        ...(title !== undefined && { title }),
        description: description ?? tool.name,
        ...(annotations !== undefined && { annotations }),
        inputSchema: fromJsonSchema({ type: 'object', ...inputSchema }, validator()),
      },
      (args): CallToolResult => scripted(result ?? JSON.stringify(args)),
    );
  }
}

let shared: AjvJsonSchemaValidator | undefined;

/** Created when a function is first used. */
function validator(): AjvJsonSchemaValidator {
  return (shared ??= new AjvJsonSchemaValidator(toolSchemaAjv()));
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
