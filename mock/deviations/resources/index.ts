/** Every deliberate fault in what all resources share. */
import { merged, type Table } from '../table.ts';
import { envelopeDeviations } from './envelope.ts';
import { readOnlyDeviations } from './read-only.ts';
import { shapesDeviations } from './shapes.ts';
import { timestampsDeviations } from './timestamps.ts';

export const resourcesDeviations: Table = merged(
  envelopeDeviations,
  readOnlyDeviations,
  timestampsDeviations,
  shapesDeviations,
);
