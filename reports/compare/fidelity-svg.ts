/** fidelity.svg: the share of alike exchanges by operation, as bars, in the order of the terminal. */
import type { ComparisonReport } from '../../spec/formats/comparison.ts';
import { escapeHtml } from '../static-page.ts';
import { byFidelity, fidelityOf } from './rows.ts';

const [WIDTH, ROW, NAME, BAR] = [640, 20, 260, 280];

export function fidelitySvg({ a, b, operations, summary }: ComparisonReport): string {
  const title = `${a.name} and ${b.name}: ${fidelityOf(summary)} % of ${summary.compared} exchanges are alike`;
  const height = (operations.length + 2) * ROW;
  const bars = byFidelity(operations).map((each, index) => {
    const [share, y] = [fidelityOf(each), (index + 1.5) * ROW];
    const middle = `y="${y + ROW / 2}" dominant-baseline="middle"`;
    return [
      `<text x="${NAME - 10}" ${middle} text-anchor="end">${escapeHtml(each.operation)}</text>`,
      `<rect x="${NAME}" y="${y + 3}" width="${BAR}" height="${ROW - 6}" fill="#d0d7de"/>`,
      `<rect x="${NAME}" y="${y + 3}" width="${(BAR * share) / 100}" height="${ROW - 6}" fill="#2da44e"/>`,
      `<text x="${NAME + BAR + 10}" ${middle}>${share} %</text>`,
    ].join('');
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" font-family="sans-serif" font-size="13" fill="#57606a">
<title>${escapeHtml(title)}</title>
<text x="10" y="${ROW * 0.9}" font-weight="bold">${escapeHtml(title)}</text>
${bars.join('\n')}
</svg>
`;
}
