/** Removes slashes at both ends, in linear time: of a long run of slashes, a regular expression would try every start. */
export function trimSlashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '/') start++;
  while (end > start && text[end - 1] === '/') end--;
  return text.slice(start, end);
}
