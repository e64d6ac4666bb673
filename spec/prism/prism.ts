/** Prism's own reading of documents and its validator, without its servers: what it says of one operation's exchange. */
import { MIMEType } from 'node:util';
import type { validateInput, validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import type { OpenApiDocument } from '../documents.ts';
import { withoutNulls } from '../without-nulls.ts';
import type { ReaderFinding, ReadAnswer, ReadRequest } from './reader.ts';

type Read = Parameters<typeof validateOutput>[0]['resource'];
type Judgement = ReturnType<typeof validateOutput> | ReturnType<typeof validateInput>;

export interface Prism {
  /** The keys of an operation's `responses`: statuses and `default`. */
  readonly answersOf: (id: string) => readonly string[];
  /** Of the body Prism is told that it is JSON, whatever its Content-Type. */
  readonly findAnswer: (id: string, answer: ReadAnswer) => ReaderFinding[];
  readonly findRequest: (id: string, request: ReadRequest) => ReaderFinding[];
}

/** Loads Prism: half a second. Throws where the documents have an operation twice. */
export async function openPrism(documents: readonly OpenApiDocument[]): Promise<Prism> {
  const { getHttpOperationsFromSpec } = await import('@stoplight/prism-http/dist/utils/operations.js');
  const validator = await import('@stoplight/prism-http/dist/validator/index.js');
  const operations = new Map<string, Read>();
  for (const document of documents)
    for (const each of await getHttpOperationsFromSpec(structuredClone(document))) operations.set(idOf(each), each);
  const operation = (id: string): Read => {
    const found = operations.get(id);
    if (found === undefined) throw new Error(`Prism reads no operation "${id}" in the documents.`);
    return found;
  };
  return {
    answersOf: (id) => operation(id).responses.map(({ code }) => code),
    findAnswer: (id, { status, headers, body }) =>
      findings(
        validator.validateOutput({
          resource: operation(id),
          element: {
            statusCode: status,
            headers: { ...headers, 'content-type': 'application/json' },
            body: withoutNulls(body),
          },
        }),
      ),
    findRequest(id, request) {
      const unreadable = whatPrismThrowsAt(request);
      if (unreadable !== undefined) return [unreadable];
      const resource = operation(id);
      return findings(validator.validateInput({ resource, element: elementOf(resource, request) }));
    },
  };
}

/** As the document spells it. */
function idOf({ iid, method, path }: Read): string {
  if (iid === undefined) throw new Error(`${method} ${path} has no operationId.`);
  return iid;
}

/** Prism may put coerced values into what it is given, so that nothing of it is the caller's. */
function elementOf({ method }: Read, { path, headers, body }: ReadRequest) {
  const [pathname = '', ...search] = path.split('?'); // As sent: a URL would resolve its dots.
  const searchParams = new URLSearchParams(search.join('?'));
  const query = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
  // Without a length Prism passes over a body of a media type that the document does not have.
  const length = { 'content-length': body === undefined ? '0' : '1' };
  return {
    method: method as 'get',
    url: { path: pathname.replaceAll(',', '%2C'), query }, // Prism would make a list of a value with a comma.
    headers: { ...headers, ...length },
    body: typeof body === 'object' ? structuredClone(body) : body,
  };
}

function whatPrismThrowsAt({ path, headers }: ReadRequest): ReaderFinding | undefined {
  const type = headers['content-type'];
  if (type !== undefined && fails(() => new MIMEType(type)))
    return { in: 'header', at: '/content-type', says: 'Request header content-type is no media type' };
  if (fails(() => decodeURIComponent(path.split('?', 1)[0] ?? '')))
    return { in: 'path', at: '', says: 'Request path is not percent-encoded UTF-8' };
  return undefined;
}

function fails(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}

/** What Prism only warns of is no finding. */
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
