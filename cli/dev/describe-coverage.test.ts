import { expect, test } from 'vitest';
import { describeCoverage } from './describe-coverage.ts';

test('deviations are counted by effect, area and condition', () => {
  const coverage = describeCoverage([
    'metrics.pagination.limit-clamped',
    'metrics.pagination.limit-clamped/refuses-requests-for-a-limit-above-100-and-from-api-keys',
  ]);
  expect(coverage).toContain('| effect | all | metrics |\n| --- | ---: | ---: |\n| refuse | 2 | 2 |\n');
  expect(coverage).toContain('| for a limit above 100 | 2 |\n| from API keys | 1 |\n');
});
