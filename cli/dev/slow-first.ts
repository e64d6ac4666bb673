/** Begins with the tests that start processes and browsers: short ones fill the gaps at the end. */
import type { TestSpecification } from 'vitest/node';
import { SuiteSequencer } from '../run/suite-sequencer.ts';

/** The longest of all before the others. */
const slow = ['/cli/', '/cli/e2e/stranger.test.ts'];
const slowness = ({ moduleId }: TestSpecification): number => slow.filter((part) => moduleId.includes(part)).length;

export class SlowFirst extends SuiteSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => slowness(other) - slowness(one));
  }
}
