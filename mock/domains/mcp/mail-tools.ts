/** The tool of functions that are bound to a mail connection: it sends messages, which GET /_mock/outbox lists. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** `send` is called for each message. */
export function addMailTool(server: McpServer, send: (message: MailMessage) => void): void {
  server.registerTool(
    'send_message',
    {
      description: 'Sends a message from the connected mailbox.',
      inputSchema: z.object({ to: z.string().min(1), subject: z.string(), text: z.string() }),
    },
    (message) => {
      send(message);
      return { content: [{ type: 'text', text: `Sent to ${message.to}.` }] };
    },
  );
}
