/** A deployment whose metrics differ from those of the server behind it in one respect. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { isFields } from '../../../suites/json/fields.ts';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** The response in place of that of the server. Undefined: the same. */
export type Change = (query: URLSearchParams, answer: Answer) => Answer | undefined;

export interface ChangedTarget extends AsyncDisposable {
  readonly target: TargetFile;
}

/** Changes the responses to metrics queries, of whichever caller. `paths`: how theirs end. */
export async function changedMetrics(
  inner: TargetFile,
  change: Change,
  paths: readonly string[] = ['/metrics'],
): Promise<ChangedTarget> {
  const { origin } = new URL(inner.addresses.management);
  const server = http.createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const body = await text(request);
    const onward = http.request(new URL(url, origin), { method, headers });
    onward.on('error', () => response.destroy());
    onward.on('response', async (received) => {
      const { pathname, searchParams } = new URL(url, origin);
      const { statusCode: status = 0 } = received;
      if (method !== 'GET' || !paths.some((path) => pathname.endsWith(path))) {
        response.writeHead(status, received.headers);
        return void received.pipe(response);
      }
      const answer = { status, body: await text(received) };
      const changed = change(searchParams, answer) ?? answer;
      const { 'content-length': _, 'transfer-encoding': __, ...kept } = received.headers;
      response.writeHead(changed.status, kept).end(changed.body);
    });
    onward.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    target: JSON.parse(JSON.stringify(inner).replaceAll(origin, front)) as TargetFile,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Refuses the queries that would be accepted. */
export const refusing =
  (isRefused: (query: URLSearchParams) => boolean, status = 400): Change =>
  (query, answer) =>
    answer.status === 200 && isRefused(query)
      ? { status, body: JSON.stringify({ error: 'This query is refused.' }) }
      : undefined;

type Entry = Record<string, unknown>;

/** Changes each entry of successful responses. */
export const changingEntries =
  (change: (entry: Entry) => Entry): Change =>
  (_, answer) => {
    if (answer.status !== 200) return undefined;
    const metrics = JSON.parse(answer.body) as Entry & { readonly data: readonly Entry[] };
    return { status: 200, body: JSON.stringify({ ...metrics, data: metrics.data.map(change) }) };
  };

/** An entry whose cost is text. */
export const withCostAsText = ({ summary, ...entry }: Entry): Entry => ({
  ...entry,
  summary: isFields(summary) ? { ...summary, cost: String(summary['cost']) } : summary,
});
