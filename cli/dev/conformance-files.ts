/** The files that the suites write while they run as part of `npm test`. */
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Removed at the end. */
export const CONFORMANCE_FOLDER = path.join(tmpdir(), `assay-conformance-${process.pid}`);
export const EXCHANGES_FILE = path.join(CONFORMANCE_FOLDER, 'exchanges.ndjson');
