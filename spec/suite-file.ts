/** Where the case of a rule stands: its id says it. */
import type { RequirementId } from './requirements/index.ts';

/** `metrics.group-by.at-most-three` → `metrics/group-by.suite`: without the folder of the suites and the ending. */
export function suiteFileOf(id: RequirementId): string {
  const [area = '', topic = ''] = id.split('.');
  return `${area}/${topic}.suite`;
}
