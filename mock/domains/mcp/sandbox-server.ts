/** The MCP server of a sandbox: its filesystem as tools. */
import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { listDirectory, readFile, writeTree } from '../sandbox/filesystem.ts';
import { absolutePath, nameOf, parentPath } from '../sandbox/path.ts';
import type { Sandbox } from '../sandbox/sandboxes.ts';
import { notFound } from '../../http/problems.ts';
import type { Clock } from '../../time/clock.ts';

const path = z.string().describe('Absolute, or below the root');

/** The SDK returns anything a tool throws as the tool's error. */
export function sandboxServer(name: string, sandbox: Sandbox, clock: Clock): McpServer {
  const { filesystem, watchers, room } = sandbox;
  const write = (directory: string, files: Record<string, string>) => {
    const written = writeTree(filesystem, directory, files, clock.now(), room);
    watchers.notify(written);
    return text(written.join('\n'));
  };
  const server = new McpServer({ name, version: '1.0.0' });
  server.registerTool(
    'list_directory',
    {
      description: 'Lists the files and subdirectories of a directory.',
      inputSchema: z.object({ path: path.default('/') }),
      annotations: { readOnlyHint: true },
    },
    (args) => {
      const listing = { ...listDirectory(filesystem, args.path) };
      return { ...text(JSON.stringify(listing)), structuredContent: listing };
    },
  );
  server.registerTool(
    'read_file',
    {
      description: 'Reads a file as UTF-8 text.',
      inputSchema: z.object({ path }),
      annotations: { readOnlyHint: true },
    },
    (args) => {
      const bytes = readFile(filesystem, args.path);
      if (bytes === undefined) throw notFound('File', absolutePath(args.path));
      return text(bytes.toString());
    },
  );
  server.registerTool(
    'write_file',
    {
      description: 'Creates or updates a file and missing directories; returns its path.',
      inputSchema: z.object({ path, content: z.string() }),
    },
    (args) => {
      const file = absolutePath(args.path);
      return write(parentPath(file), { [nameOf(file)]: args.content });
    },
  );
  server.registerTool(
    'write_tree',
    {
      description: 'Creates or updates several files below a directory, all or none; returns their paths.',
      inputSchema: z.object({ path, files: z.record(z.string(), z.string()).describe('Contents by path') }),
    },
    (args) => write(args.path, args.files),
  );
  return server;
}

function text(value: string): CallToolResult & { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text: value }] };
}
