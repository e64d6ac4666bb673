/** The vertical axis of a plot, as wide as its longest label. */
import type uPlot from 'uplot';

export const PLOT_FONT = '12px system-ui';

/** Pixels between the labels and both the plot and the edge. */
const GAP = 14;

/** In CSS pixels; uPlot passes null before the first labels are known. */
export const widthOfLabels = (plot: uPlot, labels: readonly string[] | null): number => {
  plot.ctx.save();
  plot.ctx.font = PLOT_FONT;
  const widths = (labels ?? []).map((label) => plot.ctx.measureText(label).width);
  plot.ctx.restore();
  return Math.ceil(Math.max(0, ...widths)) + GAP;
};
