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
