/** All deviations of the inference endpoints. */
import type { Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { agentsDeviations } from './agents.ts';
import { modelsDeviations } from './models.ts';

export const inferenceDeviations: Deviations = merged(agentsDeviations, modelsDeviations);
