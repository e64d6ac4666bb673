/** JSON-RPC methods that no version or extension of MCP defines. */
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

/** Tested first: names that are similar to known methods. */
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
  // Method names are case-sensitive (JSON-RPC 2.0, section 2).
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
