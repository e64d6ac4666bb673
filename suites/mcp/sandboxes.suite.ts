/** The MCP endpoint of a sandbox. */
import { conforms } from '../conforms.ts';
import { sandboxEndpoint } from './endpoints.ts';
import { checkSpeaks } from './speaks.ts';

conforms('mcp.sandboxes.speaks-streamable-http', (run) => checkSpeaks(run, sandboxEndpoint));
