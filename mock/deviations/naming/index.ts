/** Every deliberate fault in names, display names and labels. */
import type { Deviations } from '../deviation.ts';
import { merged } from '../merged.ts';
import { displayNamesDeviations } from './display-names.ts';
import { labelsDeviations } from './labels.ts';
import { namesDeviations } from './names.ts';
import { uniquenessDeviations } from './uniqueness.ts';

export const namingDeviations: Deviations = merged(
  namesDeviations,
  displayNamesDeviations,
  labelsDeviations,
  uniquenessDeviations,
);
