/** Valid names, displayNames and labels. They are written together, and each rule judges its own part. */
import { requirement } from '../../spec/requirements/index.ts';
import type { Run } from '../engine/run.ts';
import { trickyTexts } from '../generators/display-name.ts';
import { trickyLabels } from '../generators/labels.ts';
import type { Labels } from '../generators/labels.ts';
import { nameEndings } from '../generators/resource-name.ts';

const MAX_NAME = requirement('naming.name.at-most-49').values.maxLength;
const MAX_TEXT = requirement('naming.display-name.up-to-63-accepted').values.maxLength;

export const validEndings = ['a', ...nameEndings] as const;

/** The first ones are at the bound. */
export const validTexts = [...['y', 'x', 'a b'].map((text) => text.padEnd(MAX_TEXT, text)), ...trickyTexts] as const;

export const validLabels: readonly Labels[] = [{ team: 'support', stage: 'test' }, ...trickyLabels];

/** A new name with that ending, truncated to the maximum length. */
export const named = (run: Run, ending: string): string =>
  `${run.newName()}-${ending}`.slice(0, MAX_NAME).replace(/-$/, '0');

/** The name, displayName and labels at this index of their lists, which begin anew. */
export const validMetadata = (run: Run, index: number): { name: string; displayName: string; labels: Labels } => ({
  name: named(run, valueAt(validEndings, index)),
  displayName: valueAt(validTexts, index),
  labels: valueAt(validLabels, index),
});

const valueAt = <T>(list: readonly T[], index: number): T => list[index % list.length]!;
