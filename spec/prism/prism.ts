/** Validates exchanges with the parser and validator of Prism, without its servers. */
import { MIMEType } from 'node:util';
import type { validateInput, validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import type { OpenApiDocument } from '../openapi-document.ts';
import { omitNulls } from '../omit-nulls.ts';
import type { ReceivedResponse, SentRequest } from './reader-types.ts';
import type { ReaderFinding } from './reader-types.ts';

type Read = Parameters<typeof validateOutput>[0]['resource'];
type Judgement = ReturnType<typeof validateOutput> | ReturnType<typeof validateInput>;

export interface Prism {
  /** Returns the keys of an operation's `responses`: statuses and `default`. */
  readonly responseKeys: (id: string) => readonly string[];
  /** Treats the body as JSON regardless of its Content-Type. */
  readonly responseFindings: (id: string, response: ReceivedResponse) => ReaderFinding[];
  readonly requestFindings: (id: string, request: SentRequest) => ReaderFinding[];
}

/** Loads Prism, which takes half a second. Throws if the documents contain an operation twice. */
export async function openPrism(documents: readonly OpenApiDocument[]): Promise<Prism> {
  const { getHttpOperationsFromSpec } = await import('@stoplight/prism-http/dist/utils/operations.js');
  const validator = await import('@stoplight/prism-http/dist/validator/index.js');
  const operations = new Map<string, Read>();
  for (const document of documents)
    for (const each of await getHttpOperationsFromSpec(structuredClone(document))) operations.set(idOf(each), each);
  const operation = (id: string): Read => {
    const found = operations.get(id);
    if (found === undefined) throw new Error(`Prism found no operation "${id}" in the documents.`);
    return found;
  };
  return {
    responseKeys: (id) => operation(id).responses.map(({ code }) => code),
    responseFindings: (id, { status, headers, body }) =>
      findings(
        validator.validateOutput({
          resource: operation(id),
          element: {
            statusCode: status,
            headers: { ...headers, 'content-type': 'application/json' },
            body: omitNulls(body),
          },
        }),
      ),
    requestFindings(id, request) {
      const malformed = malformedPart(request);
      if (malformed !== undefined) return [malformed];
      const resource = operation(id);
      return findings(validator.validateInput({ resource, element: elementOf(resource, request) }));
    },
  };
}

/** The operationId of the document. */
function idOf({ iid, method, path }: Read): string {
  if (iid === undefined) throw new Error(`${method} ${path} has no operationId.`);
  return iid;
}

/** Returns a copy, because Prism may write coerced values into its input. */
function elementOf({ method }: Read, { path, headers, body }: SentRequest) {
  const [pathname = '', ...search] = path.split('?'); // As sent: a URL would resolve its dots.
  const byName = Map.groupBy(new URLSearchParams(search.join('?')), ([name]) => name);
  const query = Object.fromEntries(
    [...byName].map(([name, pairs]) => {
      const values = pairs.map(([, value]) => value);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
  // Without a length, Prism ignores a body of an undocumented media type.
  const length = { 'content-length': body === undefined ? '0' : '1' };
  return {
    method: method as 'get',
    url: { path: pathname.replaceAll(',', '%2C'), query }, // Prism would split a value with a comma.
    headers: { ...headers, ...length },
    body: typeof body === 'object' ? structuredClone(body) : body,
  };
}

function malformedPart({ path, headers }: SentRequest): ReaderFinding | undefined {
  const type = headers['content-type'];
  if (type !== undefined && throws(() => new MIMEType(type)))
    return { in: 'header', at: '/content-type', says: 'Request header content-type is not a media type' };
  if (throws(() => decodeURIComponent(path.split('?', 1)[0] ?? '')))
    return { in: 'path', at: '', says: 'Request path is not percent-encoded UTF-8' };
  return undefined;
}

function throws(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}

/** Warnings of Prism are ignored. */
const ERROR = 0;

const places = ['body', 'header', 'query', 'path'] as const;

function findings(judgement: Judgement): ReaderFinding[] {
  if (!('left' in judgement)) return [];
  return judgement.left
    .filter(({ severity }) => Number(severity) === ERROR)
    .map(({ path = [], message }) => {
      const [place = 'body', ...keys] = path;
      const known = places.find((each) => each === place);
      if (known === undefined) throw new Error(`Prism found something in "${place}": ${message}`);
      return { in: known, at: keys.map((key) => `/${key}`).join(''), says: message };
    });
}
