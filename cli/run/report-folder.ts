/** The files of a report folder that a run writes while it is active. */

export const LEDGER_FILE = 'ledger.ndjson';
export const EXCHANGES_FILE = 'exchanges.ndjson';
