/** Derives the suite file of a rule from its id. */
import type { RequirementId } from './requirements/index.ts';

/** `metrics.group-by.at-most-three` → `metrics/group-by.suite`: without the folder of the suites and the ending. */
export function suiteFileOf(id: RequirementId): string {
  const [area = '', topic = ''] = id.split('.');
  return `${area}/${topic}.suite`;
}
