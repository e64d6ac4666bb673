/** Writes report.html: one file that can be opened from disk and loads nothing else. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Report } from '../../spec/verdicts.ts';
import { bundlePage } from './bundle-page.ts';
import { selectExchanges } from './select-exchanges.ts';
import { pageData } from './page-data.ts';
import { toHtml } from './html.ts';

/** Reads the run's exchanges from the same folder. */
export async function writePage(report: Report, folder: string): Promise<void> {
  const { exchanges, unreadableLines } = await selectExchanges(path.join(folder, 'exchanges.ndjson'), report);
  const html = toHtml(pageData(report, folder, unreadableLines), exchanges, await bundlePage());
  await writeFile(path.join(folder, 'report.html'), html);
}
