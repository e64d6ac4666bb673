/** Requests to every operation, with values of its schemas and with changes that make them invalid. */
import * as fc from 'fast-check';
import { invalidChanges } from '../../../mock/testing/every-operation/invalid-request.ts';
import { changed, requestTo, urlOf } from '../../../mock/testing/every-operation/operation-request.ts';
import type { Change, OperationRequest } from '../../../mock/testing/every-operation/request-types.ts';
import { operationSender } from '../../../mock/testing/every-operation/send-operation.ts';
import { validRequests, type ValidRequest } from '../../../mock/testing/every-operation/valid-requests.ts';
import { documentOf } from '../../../spec/documents.ts';
import { contentOf, eachOperation, resolve, surfaces } from '../../../spec/openapi-document.ts';
import { operation, operations, type OperationId } from '../../../spec/operations.ts';
import type { Attack, AttackedMock, Kind } from './attack.ts';
import { schemaValues } from './schema-values.ts';
import { curlOf, requestSender } from './send-request.ts';

const CONCURRENCY = 24;
/** How often what a request needs (an execution, an upload, a session) is created again. */
const PREPARE_EVERY = 50;

export function operationKind(mock: AttackedMock): Kind {
  const sender = requestSender(mock, CONCURRENCY);
  const prepare = preparer(mock);
  const attacks = operationRequests(mock).map(({ id, changes }): Attack => {
    let sent: OperationRequest | undefined;
    const asHttp = (request: OperationRequest) => ({ ...request, url: urlOf(mock, id, request) });
    return {
      what: id,
      send: async () => {
        sent = [await prepare.changeFor(id), ...changes].reduce(changed, requestTo(id, adminToken(mock)));
        return sender.send(asHttp(sent));
      },
      describe: () => (sent === undefined ? '' : curlOf(asHttp(sent))),
    };
  });
  const close = async () => void (await Promise.all([sender.close(), prepare.close()]));
  return { name: 'operations', attacks, requestsPerAttack: 1, concurrency: CONCURRENCY, close };
}

export const adminToken = ({ target }: AttackedMock): string => target.credentials.admin.value;

export interface OperationAttack {
  readonly id: OperationId;
  readonly changes: readonly Change[];
}

/** Of all operations, except those left out. */
export function operationRequests(
  mock: AttackedMock,
  without: readonly OperationId[] = [],
): fc.Arbitrary<OperationAttack> {
  const { admin, apiKey, scoped, ...others } = mock.target.credentials;
  const tokens = Object.values({ ...others, ...scoped }).map(({ value }) => value);
  const ids = operations.map(({ id }) => id).filter((id) => !without.includes(id));
  return fc.oneof(
    ...ids.map((id) =>
      changesOf(id, requestTo(id, admin.value), tokens).map((changes) => ({ id, changes: changes.flat() })),
    ),
  );
}

/** Valid requests, requests with values of the schemas, and requests with one or two invalid parts. */
function changesOf(id: OperationId, usual: OperationRequest, tokens: readonly string[]) {
  const invalid = invalidChanges(id, usual, tokens);
  const values = fc.tuple(...[bodyValues(id), queryValues(id)].filter((each) => each !== undefined));
  const name = renamed(id, usual);
  return fc.oneof(
    { weight: 2, arbitrary: fc.tuple(name) },
    {
      weight: 4,
      arbitrary: fc.tuple(
        name,
        values.map((changes) => changes.reduce(merge, {})),
      ),
    },
    { weight: 6, arbitrary: fc.tuple(name, invalid).map(([first, rest]): Change[] => [first, ...rest]) },
    { weight: 1, arbitrary: fc.tuple(name, repeatedMember(usual)) },
  );
}

const merge = (one: Change, other: Change): Change => ({ ...one, ...other });

/** One of a few names, so that what is created is also read, updated and deleted. Demo resources are rarely deleted. */
function renamed(id: OperationId, usual: OperationRequest): fc.Arbitrary<Change> {
  const { pathParameters, method } = operation(id);
  const last = pathParameters.findLast(({ name, slashes }) => !slashes && !/^(accountId|workspace)/.test(name));
  const change = fc.nat({ max: 199 }).map((number): Change => {
    const name = `h-${number}`;
    return { ...(last && { path: { [last.name]: name } }), ...bodyNamed(usual, name) };
  });
  const keeps = method === 'DELETE' ? 1 : 12;
  const renames = method === 'POST' && last === undefined ? 30 : 6;
  return fc.oneof({ weight: keeps, arbitrary: fc.constant<Change>({}) }, { weight: renames, arbitrary: change });
}

function bodyNamed({ body }: OperationRequest, name: string): Change {
  if (typeof body !== 'string' || !body.startsWith('{"metadata"')) return {};
  const { metadata, ...rest } = JSON.parse(body) as { readonly metadata: object };
  return { body: JSON.stringify({ metadata: { ...metadata, name }, ...rest }) };
}

const found = surfaces.flatMap((surface) => {
  const document = documentOf(surface);
  return eachOperation(document).map((each) => ({ document, ...each }));
});

function rowOf(id: OperationId) {
  const row = found.find((each) => each.operation.operationId === id);
  if (row === undefined) throw new Error(`The documents have no operation "${id}".`);
  return row;
}

function bodyValues(id: OperationId): fc.Arbitrary<Change> | undefined {
  const { document, operation: row } = rowOf(id);
  if (row.requestBody === undefined) return undefined;
  const contents = contentOf(resolve(document, row.requestBody)).map(([type, schema]) =>
    schemaValues(schema, document).map((value): Change => ({
      body: type === 'application/json' ? (JSON.stringify(value) ?? '') : formOf(value),
      headers: { 'content-type': type },
    })),
  );
  return fc.oneof(...contents);
}

function formOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return new URLSearchParams(
    Object.entries(value).map(([name, each]): [string, string] => [name, textOf(each)]),
  ).toString();
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value.toWellFormed() : (JSON.stringify(value) ?? '');

function queryValues(id: OperationId): fc.Arbitrary<Change> | undefined {
  const { document, parameters } = rowOf(id);
  const inQuery = parameters.filter((each) => each.in === 'query');
  if (inQuery.length === 0) return undefined;
  const values = inQuery.map(({ name, schema }) => [name, schemaValues(schema, document)] as const);
  return fc.record(Object.fromEntries(values), { requiredKeys: [] }).map((chosen) => ({
    query: Object.entries(chosen)
      .map(([name, value]) => `${name}=${encodeURIComponent(textOf(value)).slice(0, 8000)}`)
      .join('&'),
  }));
}

/** A member of the JSON body twice, first or last. */
function repeatedMember({ body }: OperationRequest): fc.Arbitrary<Change> {
  if (typeof body !== 'string' || !body.startsWith('{') || body === '{}') return fc.constant({});
  const names = Object.keys(JSON.parse(body) as object);
  const value = fc.constantFrom('null', '{}', '[]', '0', '"x"', '{"name":"h-0"}');
  return fc.tuple(fc.constantFrom(...names), value, fc.boolean()).map(([name, other, isFirst]) => {
    const member = `${JSON.stringify(name)}:${other}`;
    return { body: isFirst ? `{${member},${body.slice(1)}` : `${body.slice(0, -1)},${member}}` };
  });
}

/** Creates what requests need: some name an execution, an upload or a session that exists. */
function preparer(mock: AttackedMock) {
  const { sendValid, close } = operationSender(mock);
  const prepared = new Map<OperationId, { uses: number; change: Promise<Change> }>();
  return {
    close,
    changeFor: (id: OperationId): Promise<Change> => {
      const { before }: ValidRequest = validRequests[id];
      if (before === undefined) return Promise.resolve({});
      const known = prepared.get(id);
      if (known !== undefined && known.uses++ < PREPARE_EVERY) return known.change;
      // Fails if what it needs was deleted meanwhile.
      const change = before(sendValid).catch(() => ({}));
      prepared.set(id, { uses: 0, change });
      return change;
    },
  };
}
