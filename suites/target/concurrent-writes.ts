/** Finds writes that are sent while another write to the same path has no response yet: the response may show either. */

/** Begins a request. The returned function ends it, and returns whether it was concurrent. Reads never are. */
export type BeginWrite = (method: string, url: string) => () => boolean;

export const isWrite = (method: string): boolean => !/^(?:GET|HEAD|OPTIONS)$/i.test(method);

/** Of a URL, without its query. */
export const pathOf = (url: string): string => url.split(/[?#]/, 1)[0]!;

export function trackWrites(): BeginWrite {
  const open = new Map<string, Set<{ isConcurrent: boolean }>>();
  return (method, url) => {
    if (!isWrite(method)) return () => false;
    const path = pathOf(url);
    const others = open.get(path) ?? new Set();
    open.set(path, others);
    const own = { isConcurrent: others.size > 0 };
    for (const other of others) other.isConcurrent = true;
    others.add(own);
    return () => {
      others.delete(own);
      if (others.size === 0) open.delete(path);
      return own.isConcurrent;
    };
  };
}
