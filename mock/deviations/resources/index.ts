/** Every deliberate fault in what all resources share. */
import type { Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { envelopeDeviations } from './envelope.ts';
import { readOnlyDeviations } from './read-only.ts';
import { shapesDeviations } from './shapes.ts';
import { timestampsDeviations } from './timestamps.ts';

export const resourcesDeviations: Deviations = merged(
  envelopeDeviations,
  readOnlyDeviations,
  timestampsDeviations,
  shapesDeviations,
);
