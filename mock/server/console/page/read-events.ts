/** Parses server-sent events (HTML standard, 9.2.6) from a stream. EventSource cannot send the control token. */

export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** Yields the events of each chunk together. */
export async function* readEvents(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent[]> {
  let text = '';
  for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    if (blocks.length > 0) yield blocks.map(parseEvent);
  }
}

function parseEvent(block: string): ServerEvent {
  const fields = block.split('\n').map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')] as const;
  });
  const valueOf = (name: string) => fields.filter(([field]) => field === name).map(([, value]) => value);
  return { event: valueOf('event').at(-1) ?? 'message', data: valueOf('data').join('\n') };
}
