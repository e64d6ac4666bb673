/** Every deliberate fault in names, display names and labels. */
import { merged, type Table } from '../table.ts';
import { displayNamesDeviations } from './display-names.ts';
import { labelsDeviations } from './labels.ts';
import { namesDeviations } from './names.ts';
import { uniquenessDeviations } from './uniqueness.ts';

export const namingDeviations: Table = merged(
  namesDeviations,
  displayNamesDeviations,
  labelsDeviations,
  uniquenessDeviations,
);
