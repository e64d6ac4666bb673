/** Begins with the tests that start processes and browsers: short ones fill the gaps at the end. */
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** The longest of all before the others. */
const slow = ['/cli/', '/cli/e2e/stranger.test.ts'];
const slowness = ({ moduleId }: TestSpecification): number => slow.filter((part) => moduleId.includes(part)).length;

export class SlowFirst extends BaseSequencer {
  /** Called once per run. The worker of the suites gets the list of their files, so that it can start all cases at once. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const suites = files.filter(({ moduleId }) => moduleId.endsWith('.suite.ts'));
    suites[0]?.project.provide(
      'suiteFiles',
      suites.map(({ moduleId }) => moduleId),
    );
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => slowness(other) - slowness(one));
  }
}
