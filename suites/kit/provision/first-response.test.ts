import { expect, test } from 'vitest';
import { firstResponse } from './agents.ts';

test('cases share the wait for the first response of an agent, but not of another one', async () => {
  const queried: string[] = [];
  const call = async (_: string, { path }: { path: { agent: string } }) => {
    queried.push(path.agent);
    return { response: { status: 500 } };
  };
  const run = { client: { call }, patienceSeconds: 0, shared: {} } as never;
  const [first, again] = [await firstResponse(run, 'one'), await firstResponse(run, 'one')];
  await firstResponse(run, 'two');
  expect(again).toBe(first);
  expect(queried).toEqual(['one', 'two']);
});
