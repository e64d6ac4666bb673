/** The default world with scripted replies, for tests of the inference endpoints. */
import { defaultWorld } from '../../fixtures/worlds/default.ts';
import type { ReplyFile, WorldFile } from '../../spec/formats/world-file.ts';

export const START = Date.parse('2026-11-21T07:00:30Z');

export function scriptedWorld(replies: ReplyFile[] = [], rest: Partial<WorldFile> = {}): WorldFile {
  return { ...defaultWorld(1, START), replies, ...rest };
}
