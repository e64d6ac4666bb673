/** All deviations of the sandbox API. */
import { merged, type Table } from '../table.ts';
import { bodiesDeviations } from './bodies.ts';
import { listingDeviations } from './listing.ts';
import { readingDeviations } from './reading.ts';
import { treeDeviations } from './tree.ts';
import { uploadsDeviations } from './uploads.ts';
import { watchDeviations } from './watch.ts';

export const sandboxDeviations: Table = merged(
  treeDeviations,
  listingDeviations,
  readingDeviations,
  bodiesDeviations,
  uploadsDeviations,
  watchDeviations,
);
