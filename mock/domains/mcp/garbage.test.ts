import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { startMock } from '../../start-mock.ts';
import { begin, everythingPath, functionPath, sandboxPath, send } from '../../testing/mcp-client.ts';

const methods = [
  'initialize',
  'ping',
  'tools/call',
  'tools/list',
  'resources/read',
  'prompts/get',
  'completion/complete',
];
const names = ['echo', 'write_file', 'write_tree', 'read_file', 'test_sampling', 'test_error_handling', '__proto__'];

const params = fc.oneof(
  fc.jsonValue(),
  fc.record({
    name: fc.constantFrom(...names),
    arguments: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.string())),
  }),
);
const message = fc.record(
  { jsonrpc: fc.constantFrom('2.0', '1.0'), id: fc.jsonValue(), method: fc.constantFrom(...methods), params },
  { requiredKeys: [] },
);
const version = fc.constantFrom(undefined, '2025-11-25', '2026-07-28', 'x');

test('no message causes a 5xx response', async () => {
  await using mock = await startMock({ seed: 3, clock: 'frozen' });
  const begun = await Promise.all(
    [functionPath, everythingPath, sandboxPath].map(async (path) => ({ path, session: await begin(mock, path) })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...begun),
      fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue()),
      version,
      fc.boolean(),
      async ({ path, session }, sent, protocol, inSession) => {
        const headers = { ...(inSession && session), 'mcp-protocol-version': protocol };
        const left = AbortSignal.timeout(5000);
        const { status, body } = await send(mock, { path, headers, body: JSON.stringify(sent), signal: left });
        // A tool may send the client a request that gets no response, so the rest of the stream is not read.
        await body?.cancel();
        expect(status).toBeLessThan(500);
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});
