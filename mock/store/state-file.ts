/** The SQLite file that keeps a world: one row per saved entry, in order of creation. */
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StateFileError } from './state-file-error.ts';

/** "assy": the SQLite application id of the format. */
const APPLICATION_ID = 0x61_73_73_79;
const FORMAT_VERSION = 2;

/** An entry of a member of the world, such as a resource. */
export interface Entry {
  readonly member: string;
  /** Identifies the entry in its member; empty for a member that is one entry. */
  readonly key: string;
  /** JSON; undefined deletes the entry. */
  readonly value: string | undefined;
}

export interface StateFile {
  /** Oldest first. Empty if the file is new. */
  entries(): Entry[];
  /** Writes all entries or none; with `replaceAll`, deletes all others. They survive a crash of the process. */
  write(entries: Iterable<Entry>, replaceAll?: boolean): void;
  /** Removes the file if nothing was written to a new one. Does nothing if it is closed. */
  close(): void;
}

/** Whether there is a state already. An empty file counts as new. */
export function hasState(file: string): boolean {
  return existsSync(file) && statSync(file).size > 0;
}

/**
 * A new file is readable only by its owner, because it holds keys and secrets. Throws a StateFileError if the file is of
 * another format, or in use. Such a file is not changed.
 */
export function openStateFile(file: string): StateFile {
  const isNew = !hasState(file);
  const database = open(file, isNew);
  const upsert = database.prepare(
    'INSERT INTO entry (member, key, value) VALUES (?, ?, ?) ON CONFLICT (member, key) DO UPDATE SET value = excluded.value',
  );
  const remove = database.prepare('DELETE FROM entry WHERE member = ? AND key = ?');
  const list = database.prepare('SELECT member, key, value FROM entry ORDER BY id');
  const begin = database.prepare('BEGIN');
  const commit = database.prepare('COMMIT');
  return {
    entries: () => list.all().map(({ member, key, value }) => ({ member, key, value }) as unknown as Entry),
    write: (entries, replaceAll = false) => {
      begin.run();
      try {
        if (replaceAll) database.exec('DELETE FROM entry');
        for (const { member, key, value } of entries) {
          if (value === undefined) remove.run(member, key);
          else upsert.run(member, key, value);
        }
        commit.run();
      } catch (error) {
        // A full disk has ended the transaction already.
        if (database.isTransaction) database.exec('ROLLBACK');
        throw error;
      }
    },
    close: () => {
      if (!database.isOpen) return;
      const isEmpty = isNew && list.all().length === 0;
      database.close();
      if (isEmpty) rmSync(file);
    },
  };
}

function open(file: string, isNew: boolean): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    if (isNew) createForOwner(file);
    database = new DatabaseSync(file, { timeout: 0 });
    // One mock per file: the lock lasts until the process ends.
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT;');
    if (isNew) create(database);
    else requireFormat(database, file);
    // The write-ahead log without a sync for each commit survives a crash of the process, not of the machine.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof StateFileError
      ? error
      : new StateFileError(file, reasonOf(error as Error & { errcode?: number }));
  }
}

/** Does nothing if the file exists. SQLite gives the `-wal` and `-shm` files the mode of the file itself. */
function createForOwner(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
}

function create(database: DatabaseSync): void {
  database.exec(`
    BEGIN;
    PRAGMA application_id = ${APPLICATION_ID};
    PRAGMA user_version = ${FORMAT_VERSION};
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      member TEXT NOT NULL,
      key TEXT NOT NULL,
      value TEXT NOT NULL,
      UNIQUE (member, key)
    ) STRICT;
    COMMIT;
  `);
}

function requireFormat(database: DatabaseSync, file: string): void {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() ?? {};
  if (id !== APPLICATION_ID) throw new StateFileError(file, NOT_OURS);
  const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {};
  if (version !== FORMAT_VERSION)
    throw new StateFileError(
      file,
      `has format version ${String(version)}; this version of assay reads ${FORMAT_VERSION}.`,
    );
}

const NOT_OURS = 'is not a state file of assay; name another file.';
/** https://www.sqlite.org/rescode.html */
const SQLITE_BUSY = 5;
const SQLITE_NOTADB = 26;

function reasonOf({ errcode, message }: Error & { errcode?: number }): string {
  if (errcode === SQLITE_BUSY) return 'is in use by another mock.';
  return errcode === SQLITE_NOTADB ? NOT_OURS : `cannot be opened: ${message}.`;
}
