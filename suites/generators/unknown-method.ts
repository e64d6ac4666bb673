/** A JSON-RPC method of no version and no extension of MCP. */
import * as fc from 'fast-check';

const KNOWN = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
];

/** To be tried first: what begins or ends as a known one does, alone or below a known word. */
export const unknownMethods: readonly string[] = [
  'assay',
  'assay/unknown',
  'tools/assay',
  'resources/assay',
  'notifications/assay',
  'constructor',
  'toString',
  '__proto__',
  ...KNOWN.flatMap((known) => [`${known}/assay`, `${known}assay`, `assay/${known}`]),
  // Names of methods have letter case (JSON-RPC 2.0, 2).
  'PING',
  'Tools/List',
  'ping/',
  'tools/list/',
  'tools.list',
  'tools_list',
];

const word = fc.stringMatching(/^[a-z]{1,10}$/).map((text) => `assay${text}`);
const before = fc.constantFrom('', 'tools/', 'prompts/', 'resources/', 'notifications/', 'logging/', 'x/', ...KNOWN);

/** Does not shrink, because each request to an unresponsive server takes a timeout. */
export const unknownMethod: fc.Arbitrary<string> = fc.noShrink(
  fc.record({ before, word }).map((each) => each.before + each.word),
);
