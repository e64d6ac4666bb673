/** Display names and labels to rotate through, so that not every resource of a run has the same ones. */
import type { Labels } from './labels.ts';

/** Letters, digits, single spaces and inner punctuation, which no server may refuse or change. */
const plainDisplayNames = ['Assay', 'ASSAY North 2', 'Assay v1.10', 'assay-Beta 007', "Assay's trial: A, B"] as const;

/** Also with letters beyond ASCII, and digits at the end. */
const displayNames = [
  'Größe XL 042',
  plainDisplayNames[1],
  'Żółta łódź – v2.0',
  plainDisplayNames[3],
  '日本語 Test_№ 10',
  plainDisplayNames[4],
] as const;

const labelSets: readonly Labels[] = [
  { Team: 'Größe 042', stage: 'Beta-1.10' },
  { team: 'ASSAY', 'cost-center': '0070', tier: 'gold & silver' },
  {},
  { owner: 'żółć / 日本', Stage: 'In Test, v2' },
];

const at = <T>(list: readonly T[], index: number): T => list[index % list.length]!;

/** Accepted by every server that accepts display names at all. `index` is at least 0. */
export const plainDisplayNameAt = (index: number): string => at(plainDisplayNames, index);

/** A displayName and labels. Only for resources whose refusal has no meaning. `index` is at least 0. */
export const variedMetadataAt = (index: number): { displayName: string; labels: Labels } => ({
  displayName: at(displayNames, index),
  labels: at(labelSets, index),
});
