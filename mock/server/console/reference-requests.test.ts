/** Sends every documented example to the default world, as the API reference prefills it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eachOperation, resolve, surfaces } from '../../../spec/openapi-document.ts';
import type { OpenApiExample, Surface } from '../../../spec/openapi-document.ts';
import { startMock, type RunningMock } from '../../start-mock.ts';
import { toListedOperation, type ListedOperation, type ServedDocument } from './page/reference/operations.ts';
import { bodyText, buildRequest, initialFields, type FormValues } from './page/reference/request.ts';
import { valueText } from './page/reference/value-text.ts';

/** Operations whose examples illustrate an error, which their description names: the server makes ids, or others use it. */
const illustratedErrors: Readonly<Record<string, number>> = {
  getExecutionOfJob: 404,
  getJobExecution: 404,
  deleteVolume: 409,
  deleteIntegrationConnection: 409,
  deleteWorkspace: 409,
  acceptWorkspaceInvitation: 404,
  declineWorkspaceInvitation: 404,
  getFunctionMcp: 400,
  deleteFunctionMcp: 400,
  getSandboxMcp: 400,
  deleteSandboxMcp: 400,
  deleteTree: 409,
  uploadMultipartPart: 404,
  listMultipartParts: 404,
  completeMultipartUpload: 404,
  abortMultipartUpload: 404,
};

/** The form of such an operation that succeeds. */
const SUCCEEDS = 'deleteTree with recursive';

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock();
});
afterAll(() => mock.close());

async function servedOperations(surface: Surface) {
  const document = (await (await fetch(`${mock.addresses.host}/_mock/docs/${surface}.json`)).json()) as ServedDocument;
  const operations = eachOperation(document).map((found) => toListedOperation(surface, document, found));
  return { document, operations };
}

type Values = Omit<FormValues, 'authorization'>;

/** The forms with every example of the body, then with every optional parameter. */
function formsOf(operation: ListedOperation, document: ServedDocument): [name: string, Values][] {
  const fields = initialFields(operation, document.servers[1]);
  const bodies = Object.entries(operation.body?.content ?? {}).flatMap(([contentType, { examples = {} }]) =>
    Object.entries(examples).map(([name, each]): [string, Values] => {
      const { value } = resolve<OpenApiExample>(document, each);
      return [`${operation.id} ${name} ${contentType}`, { fields, contentType, body: bodyText(value, contentType) }];
    }),
  );
  const [first, ...others]: [string, Values][] = bodies.length === 0 ? [[operation.id, { fields }]] : bodies;
  const optional = operation.parameters.filter(({ required, example }) => required !== true && example !== undefined);
  const withOptional = optional.map(({ name, example }): [string, Values] => [
    `${operation.id} with ${name}`,
    { ...first![1], fields: { ...fields, [name]: valueText(example) } },
  ]);
  return [first!, ...others, ...withOptional];
}

/** Resets the world after a write. */
async function statusOf(operation: ListedOperation, document: ServedDocument, values: Values): Promise<number> {
  const authorization = operation.security.length === 0 ? '' : `Bearer ${mock.target.credentials.admin.value}`;
  const origin = mock.addresses.host;
  const { url, ...request } = buildRequest(operation, document.servers[1], { ...values, authorization }, origin);
  const disconnect = new AbortController();
  const init = { ...(request as RequestInit), redirect: 'manual' as const, signal: disconnect.signal };
  const { status } = await fetch(url, init);
  // Some responses are streams without an end.
  disconnect.abort();
  if (operation.method !== 'GET') await mock.reset();
  return status;
}

test.each(surfaces)(
  'every example of the %s document succeeds, or gets the error that it illustrates',
  async (name) => {
    const { document, operations } = await servedOperations(name);
    const failed: [string, number][] = [];
    for (const operation of operations) {
      for (const [form, values] of formsOf(operation, document)) {
        const status = await statusOf(operation, document, values);
        const error = form === SUCCEEDS ? undefined : illustratedErrors[operation.id];
        if (error === undefined ? status >= 400 : status !== error) failed.push([form, status]);
      }
    }
    expect(operations.length).toBeGreaterThan(5);
    expect(failed).toEqual([]);
  },
);

test('every illustrated error occurs, and the description of the operation names it', async () => {
  const found: Record<string, number> = {};
  for (const surface of surfaces) {
    const { document, operations } = await servedOperations(surface);
    for (const operation of operations.filter(({ id }) => id in illustratedErrors)) {
      const [[, values]] = formsOf(operation, document) as [[string, Values]];
      found[operation.id] = await statusOf(operation, document, values);
      expect(operation.description).toContain(String(illustratedErrors[operation.id]));
    }
  }
  expect(found).toEqual(illustratedErrors);
});
