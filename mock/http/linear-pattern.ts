/** Regular expressions of world files, matched in linear time (RE2 syntax): they cannot backtrack. */
import { createRequire } from 'node:module';

export interface LinearPattern {
  test(text: string): boolean;
  /** The match and its groups; undefined if there is none. A group without a match is absent. */
  exec(text: string): (string | undefined)[] | undefined;
}

/** Only the beginning of a longer text is matched: linear time is not short for any text. */
export const MAX_MATCHED_LENGTH = 10_000;
const MAX_PATTERNS = 1000;
const patterns = new Map<string, LinearPattern>();
const require = createRequire(import.meta.url);

/** Throws an error if the pattern is invalid, or has what needs backtracking: references and lookaround. */
export function linearPattern(source: string): LinearPattern {
  const known = patterns.get(source);
  if (known !== undefined) return known;
  // Loaded on demand: few worlds have a pattern.
  const { RE2JS } = require('re2js') as typeof import('re2js');
  const compiled = RE2JS.compile(source);
  const exec: LinearPattern['exec'] = (text) => {
    const matcher = compiled.matcher(text.slice(0, MAX_MATCHED_LENGTH));
    if (!matcher.find()) return undefined;
    return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? undefined);
  };
  const pattern = { exec, test: (text: string) => exec(text) !== undefined };
  if (patterns.size >= MAX_PATTERNS) patterns.clear();
  patterns.set(source, pattern);
  return pattern;
}
