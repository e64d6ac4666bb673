import { expect, test } from 'vitest';
import type { Exchange } from '../../target/client.ts';
import { putTree } from './tree.ts';

const SPACE = 'space for more files in the sandbox';
const OTHER = 'a sandbox that still accepts tree writes';

/** Why later writes are not tried if the sandbox accepts one write and refuses every other one with this response. */
async function reasonAfter(status: number, text: string): Promise<string> {
  let count = 0;
  const call = async () =>
    ({ response: (count += 1) === 1 ? { status: 200, text: '' } : { status, text } }) as Exchange;
  const run = { client: { call }, patienceSeconds: 0, rule: { id: 'a' }, shared: {} } as never;
  await putTree(run, 'a', { f: 'x' });
  return putTree(run, 'b', { f: 'x' }).then(
    () => '',
    (error: Error) => error.message,
  );
}

test.each([
  [413, '', SPACE],
  [507, '', SPACE],
  [403, '{"message":"The quota of the sandbox is exhausted."}', SPACE],
  [400, 'write: no space left on device', SPACE],
  [409, '{"message":"The file exists."}', OTHER],
  [400, '{"message":"unknown workspace"}', OTHER],
  [403, '', OTHER],
])('if every write is refused with %d %j, the run lacks %s', async (status, text, missing) => {
  expect(await reasonAfter(status, text)).toBe(`${missing} (status ${status})`);
});
