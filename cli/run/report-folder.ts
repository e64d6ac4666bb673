/** The files of a report folder that a run writes while it is active. */

export const LEDGER_FILE = 'ledger.ndjson';
/** Begins the name of a folder, before the id of the run that left something. */
export const LEFT_BY = 'left-by-';
export const EXCHANGES_FILE = 'exchanges.ndjson';
