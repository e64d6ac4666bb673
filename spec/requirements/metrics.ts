/** Rules of the billing metrics; each topic has its rows in the one file named for what it is about. */
import { metricsQuestionsRequirements } from './metrics-questions.ts';
import { metricsAnswersRequirements } from './metrics-answers.ts';
import { metricsSumsRequirements } from './metrics-sums.ts';
import { metricsPagesRequirements } from './metrics-pages.ts';
import type { Requirement } from './requirement.ts';

export const metricsRequirements = [
  ...metricsQuestionsRequirements,
  ...metricsAnswersRequirements,
  ...metricsSumsRequirements,
  ...metricsPagesRequirements,
] as const satisfies readonly Requirement[];
