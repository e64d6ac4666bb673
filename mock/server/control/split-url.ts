/** Splits a request URL into the path as sent and the query. */
export function splitUrl(url: string): { path: string; query: string } {
  const [path = '', ...rest] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?');
  return { path, query: rest.join('?') };
}
