/** The MCP endpoint of a sandbox. */
import { conforms } from '../engine/conforms.ts';
import { sandboxEndpoint } from '../kit/mcp/endpoints.ts';
import { checkStreamableHttp } from './streamable-http.ts';

conforms('mcp.sandboxes.speaks-streamable-http', (run) => checkStreamableHttp(run, sandboxEndpoint));
