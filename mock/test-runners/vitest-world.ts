/** The fixture `world` of `@svc/assay/vitest`, which prints the requests of a failed test. */
import type { MockWorld } from '../start-mock.ts';
import { describeRequests } from './describe-requests.ts';
import { world as runWorld, type MockFixtures, type WorldFixtures } from './fixtures.ts';

/** The part of vitest's test context that is used. */
interface TestContext {
  readonly task: { readonly result?: { readonly state: string } };
}

export async function world(
  { mock, worldOptions, task }: Pick<MockFixtures, 'mock'> & Pick<WorldFixtures, 'worldOptions'> & TestContext,
  use: (world: MockWorld) => Promise<void>,
): Promise<void> {
  await runWorld({ mock, worldOptions }, async (added) => {
    await use(added);
    if (task.result?.state !== 'fail') return;
    const requests = await describeRequests(added);
    // Vitest prints it with the name of the test.
    if (requests !== undefined) console.error(`Requests to the mock:\n${requests}`);
  });
}
