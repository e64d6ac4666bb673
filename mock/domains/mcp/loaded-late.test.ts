import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const startMock = new URL('../../start-mock.ts', import.meta.url).href;

/** Prints whether the SDK is loaded: before any call, after a management call and after an MCP call. */
const script = `
  import { registerHooks } from 'node:module';
  let loaded = false;
  registerHooks({
    resolve: (name, context, next) => {
      if (name.startsWith('@modelcontextprotocol/') || name === 'zod') loaded = true;
      return next(name, context);
    },
  });
  const { startMock } = await import(${JSON.stringify(startMock)});
  const mock = await startMock();
  const headers = { authorization: 'Bearer ' + mock.target.credentials.admin.value };
  const states = [loaded];
  await fetch(mock.addresses.management + '/functions', { headers });
  states.push(loaded);
  await fetch(mock.addresses.inference + '/demo/functions/demo-tools/mcp', { headers });
  states.push(loaded);
  await mock.close();
  console.log(JSON.stringify(states));
`;

test('the MCP SDK is loaded on the first call of an MCP endpoint', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  expect(JSON.parse(stdout)).toEqual([false, false, true]);
});
