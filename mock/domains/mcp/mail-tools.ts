/** The tool of functions that are bound to a mail connection: it sends messages, which GET /_mock/outbox lists. */
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

export interface MailMessage {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export const MAIL_TOOL = 'send_message';

/** Returns why a message cannot be sent, in a sentence; undefined if it was sent. */
export type SendMail = (message: MailMessage) => string | undefined;

export function addMailTool(server: McpServer, send: SendMail): void {
  server.registerTool(
    MAIL_TOOL,
    {
      description: 'Sends a message from the connected mailbox.',
      inputSchema: z.object({ to: z.string().min(1), subject: z.string(), text: z.string() }),
    },
    (message) => {
      const refusal = send(message);
      return refusal === undefined
        ? { content: [{ type: 'text', text: `Sent to ${message.to}.` }] }
        : { content: [{ type: 'text', text: refusal }], isError: true };
    },
  );
}
