/** Sends the worker of the suites the list of their files, so that it can start all cases at once. */
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

export class SuiteSequencer extends BaseSequencer {
  /** Called with the files of the shard, once per run. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const suites = files.filter(({ moduleId }) => /\.suite\.[jt]s$/.test(moduleId));
    suites[0]?.project.provide(
      'suiteFiles',
      suites.map(({ moduleId }) => moduleId),
    );
    return super.sort(files);
  }
}
