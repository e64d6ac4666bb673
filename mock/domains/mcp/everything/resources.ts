/** Resources: text, binary, a template, and one with subscriptions. */
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { PICTURE } from './media.ts';

const TEXT = 'text/plain';
const JSON_TYPE = 'application/json';

export function registerResources(server: McpServer): void {
  registerText(server, 'static-text', 'Text that never changes.');
  registerText(server, 'watched-resource', 'Text that can be subscribed to.');
  server.registerResource(
    'static-binary',
    'test://static-binary',
    { title: 'Picture', description: 'Bytes that never change.', mimeType: PICTURE.mimeType },
    ({ href }) => ({ contents: [{ uri: href, mimeType: PICTURE.mimeType, blob: PICTURE.data }] }),
  );
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', {
      list: undefined,
      complete: { id: (typed) => ['1', '2', '123'].filter((id) => id.startsWith(typed)) },
    }),
    { title: 'Template', description: 'Data by id.', mimeType: JSON_TYPE },
    ({ href }, { id }) => ({
      contents: [{ uri: href, mimeType: JSON_TYPE, text: JSON.stringify({ id, data: `Data for ID: ${String(id)}` }) }],
    }),
  );
  // Subscriptions are accepted, but the resources never change.
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
}

function registerText(server: McpServer, name: string, description: string): void {
  server.registerResource(name, `test://${name}`, { description, mimeType: TEXT }, ({ href }) => ({
    contents: [{ uri: href, mimeType: TEXT, text: `This is ${name}. ${description}` }],
  }));
}
