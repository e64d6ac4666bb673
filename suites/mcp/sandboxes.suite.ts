/** The MCP endpoint of a sandbox. */
import { conforms } from '../engine/conforms.ts';
import { sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import { checkSpeaks } from './speaks.ts';

conforms('mcp.sandboxes.speaks-streamable-http', (run) => checkSpeaks(run, sandboxEndpoint));
