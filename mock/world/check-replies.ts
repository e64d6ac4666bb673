/** Validates scripted replies and callback origins beyond the schema of the world file. */
import type { ReplyFile, WorldFile } from '../../spec/formats/world-file.ts';
import { linearPattern } from '../http/linear-pattern.ts';
import { WorldFileError } from '../state/world-file-error.ts';

/** Throws a WorldFileError. */
export function checkReplies(file: WorldFile): void {
  checkScripts(file);
  for (const [index, reply] of (file.replies ?? []).entries())
    checkWorkspace(`replies[${index}]`, reply, file.workspaces);
}

/** The same, but the workspace of a reply may have been deleted. */
export function checkScripts({
  replies = [],
  callbackOrigins = [],
}: Pick<WorldFile, 'replies' | 'callbackOrigins'>): void {
  for (const [index, reply] of replies.entries()) {
    checkReply(`replies[${index}]`, reply);
    checkPattern(`replies[${index}]`, reply);
  }
  for (const [index, origin] of callbackOrigins.entries()) checkOrigin(`callbackOrigins[${index}]`, origin);
}

function checkReply(at: string, reply: ReplyFile): void {
  const kinds = (['reply', 'body', 'error'] as const).filter((name) => reply[name] !== undefined);
  if (kinds.length > 1) throw new WorldFileError(`${at} has ${kinds.join(' and ')}; allowed: one of them.`);
}

function checkPattern(at: string, { pattern }: ReplyFile): void {
  if (pattern === undefined) return;
  try {
    linearPattern(pattern);
  } catch (error) {
    throw new WorldFileError(
      `${at}.pattern is "${pattern}", which is not a regular expression in RE2 syntax: ${(error as Error).message}.`,
    );
  }
}

function checkWorkspace(at: string, { workspace }: ReplyFile, workspaces: WorldFile['workspaces']): void {
  if (workspace === undefined || workspaces.some(({ name }) => name === workspace)) return;
  const allowed = workspaces.map(({ name }) => name).join(', ');
  throw new WorldFileError(`${at}.workspace is "${workspace}"; allowed: ${allowed}.`);
}

function checkOrigin(at: string, origin: string): void {
  if (/^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin) return;
  throw new WorldFileError(
    `${at} is "${origin}"; allowed: an origin without a path, such as https://hooks.shop.example.`,
  );
}
