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

test('a sandbox that only refuses updates of files still accepts writes, however often that is asked', async () => {
  const existing = new Set<string>();
  const call = async (_: string, { path: { path }, body: { files } }: WriteOfTree) => {
    const written = Object.keys(files).map((name) => `${path}/${name}`);
    const isUpdate = written.some((each) => existing.has(each));
    if (!isUpdate) for (const each of written) existing.add(each);
    return { response: { status: isUpdate ? 409 : 200, text: '' } } as Exchange;
  };
  const run = { client: { call }, patienceSeconds: 0, rule: { id: 'a' }, shared: {} } as never;
  const statuses = [];
  for (const path of ['a', 'a', 'a', 'b', 'b']) statuses.push((await putTree(run, path, { f: 'x' })).response.status);
  expect(statuses).toEqual([200, 409, 409, 200, 409]);
});

interface WriteOfTree {
  readonly path: { readonly path: string };
  readonly body: { readonly files: object };
}
