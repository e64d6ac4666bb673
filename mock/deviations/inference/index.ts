/** All deviations of the inference endpoints. */
import { merged, type Table } from '../table.ts';
import { agentsDeviations } from './agents.ts';
import { modelsDeviations } from './models.ts';

export const inferenceDeviations: Table = merged(agentsDeviations, modelsDeviations);
