/** Begins with the tests that start processes and browsers: short ones fill the gaps at the end. */
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

const isSlow = ({ moduleId }: TestSpecification): number => (moduleId.includes('/cli/') ? 1 : 0);

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => isSlow(other) - isSlow(one));
  }
}
