/** Prompts without and with arguments (one with completion), with a resource, and with an image. */
import { completable, type GetPromptResult, type McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { PICTURE } from './media.ts';

type Content = GetPromptResult['messages'][number]['content'];

const SUGGESTIONS = ['hello', 'help', 'test', 'testing'];

export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'Has no arguments.' }, () =>
    messages({ type: 'text', text: 'This is a simple prompt.' }),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Has two arguments; the first one is completed.',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First'), (typed) =>
          SUGGESTIONS.filter((word) => word.startsWith(typed)),
        ),
        arg2: z.string().describe('Second'),
      }),
    },
    ({ arg1, arg2 }) => messages({ type: 'text', text: `The arguments are arg1='${arg1}' and arg2='${arg2}'.` }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Embeds a resource.', argsSchema: z.object({ resourceUri: z.string().describe('Its URI') }) },
    ({ resourceUri: uri }) =>
      messages(
        { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'The text of the resource.' } },
        { type: 'text', text: 'Please read the resource.' },
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture.' }, () =>
    messages({ type: 'image', ...PICTURE }, { type: 'text', text: 'Please look at the picture.' }),
  );
}

function messages(...contents: Content[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
