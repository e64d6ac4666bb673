import { expect, test } from 'vitest';
import { widthOfLabels } from './plot-axis.ts';

/** Every character is 7 pixels wide. */
const plot = {
  ctx: { save: () => {}, restore: () => {}, measureText: (text: string) => ({ width: 7 * text.length }) },
} as unknown as Parameters<typeof widthOfLabels>[0];

test('the axis is as wide as its longest label and a gap', () => {
  expect(widthOfLabels(plot, ['0', '1,000,000,000', '5'])).toBe(13 * 7 + 14);
  expect(widthOfLabels(plot, [])).toBe(14);
  expect(widthOfLabels(plot, null)).toBe(14);
});
