/** Matches patterns with `*`, or also `?`, in time proportional to text length times pattern length. */

// path.matchesGlob and regular expressions backtrack: a client's `*a*a*a*b` would block the server for minutes.
/** `one`: whether `?` matches any character, instead of itself. */
export function matchesWildcard(text: string, pattern: string, { one = false } = {}): boolean {
  let at = 0;
  let inPattern = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[inPattern] === '*') {
      star = inPattern++;
      resume = at;
    } else if ((one && pattern[inPattern] === '?') || pattern[inPattern] === text[at]) {
      at++;
      inPattern++;
    } else if (star >= 0) {
      inPattern = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[inPattern] === '*') inPattern++;
  return inPattern === pattern.length;
}

/** The globs of names of rules and operations: `*` stands for any text, `?` for any character, `{a,b}` for a or b. */
export const matchesGlob = (name: string, glob: string): boolean =>
  alternatives(glob).some((each) => matchesWildcard(name, each, { one: true }));

/** Of the innermost braces first. Braces without a comma are themselves, as in `/agents/{agentName}`. */
function alternatives(glob: string): string[] {
  const [braces, list = ''] = /\{([^{}]*,[^{}]*)\}/.exec(glob) ?? [];
  if (braces === undefined) return [glob];
  return list.split(',').flatMap((each) => alternatives(glob.replace(braces, () => each)));
}

/** Whether the pattern, with `*` and `?`, matches a path or one of the directories above it. */
export function matchesDirectory(path: string, pattern: string): boolean {
  // canEnd[n]: the first n characters of the pattern match what was read of the path.
  let canEnd = new Uint8Array(pattern.length + 1);
  let next = new Uint8Array(pattern.length + 1);
  canEnd[0] = 1;
  skipStars(canEnd, pattern);
  for (let at = 0; at < path.length; at++) {
    next.fill(0);
    for (let n = 0; n < pattern.length; n++) {
      if (canEnd[n] === 0) continue;
      if (pattern[n] === '*') next[n] = 1;
      else if (pattern[n] === '?' || pattern[n] === path[at]) next[n + 1] = 1;
    }
    skipStars(next, pattern);
    [canEnd, next] = [next, canEnd];
    if (canEnd[pattern.length] === 1 && (at + 1 === path.length || path[at + 1] === '/')) return true;
  }
  return false;
}

/** A star also matches nothing. */
function skipStars(canEnd: Uint8Array, pattern: string): void {
  for (let n = 0; n < pattern.length; n++) if (canEnd[n] === 1 && pattern[n] === '*') canEnd[n + 1] = 1;
}
