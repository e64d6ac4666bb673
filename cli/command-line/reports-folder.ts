/** Where reports are if no `--report` says otherwise. */
import path from 'node:path';

/** Relative to the working directory. It has a folder for each run. */
export const REPORTS_FOLDER = path.join('reports', 'out');
