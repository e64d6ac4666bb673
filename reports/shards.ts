/** Finds the rules of a shard: those whose suite files it runs. */
import { requirements } from '../spec/requirements/index.ts';
import type { RequirementId } from '../spec/requirements/index.ts';
import { suiteFileOf } from '../spec/suite-file.ts';

export interface Shard {
  /** Counted from 1. */
  readonly index: number;
  readonly count: number;
}

/** A rule's id names its suite file. */
export function rulesOfShard(files: readonly string[]): RequirementId[] {
  const own = new Set(
    files.map((file) =>
      file
        .split(/[/\\]/)
        .slice(-2)
        .join('/')
        .replace(/\.[tj]s$/, ''),
    ),
  );
  return requirements.map(({ id }) => id).filter((id) => own.has(suiteFileOf(id)));
}
