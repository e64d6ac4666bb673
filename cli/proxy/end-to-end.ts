/** The headers that a proxy passes on: all but those of the one connection (RFC 9110 7.6.1). */

const hopByHop = ['connection', 'proxy-connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade', 'trailer'];

/** Alternating names and values, as received. */
export type RawHeaders = readonly string[];

/** In their order and spelling, without those of the connection, what Connection names, and `without` (in lower case). */
export function endToEnd(raw: RawHeaders, without: readonly string[] = []): string[] {
  const named = valuesOf(raw, 'connection').flatMap((value) => value.split(','));
  const dropped = new Set([...hopByHop, ...named.map((name) => name.trim().toLowerCase()), ...without]);
  return pairsOf(raw)
    .filter(([name]) => !dropped.has(name.toLowerCase()))
    .flat();
}

export function valuesOf(raw: RawHeaders, wanted: string): string[] {
  return pairsOf(raw)
    .filter(([name]) => name.toLowerCase() === wanted)
    .map(([, value]) => value);
}

/** Names in lower case; lines of one name joined with ", ". */
export function joinedHeaders(raw: RawHeaders): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const [spelt, value] of pairsOf(raw)) {
    const name = spelt.toLowerCase();
    joined[name] = joined[name] === undefined ? value : `${joined[name]}, ${value}`;
  }
  return joined;
}

function pairsOf(raw: RawHeaders): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []));
}
