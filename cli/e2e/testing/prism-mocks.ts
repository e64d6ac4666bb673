/** For tests: Prism's mock server for each of the four documents, which responds with their examples. */
import { createLogger } from '@stoplight/prism-core';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import type { OperationResponse } from '../../../mock/testing/every-operation/request-types.ts';
import type { OperationRequest } from '../../../mock/testing/every-operation/request-types.ts';
import type { Surface } from '../../../spec/openapi-document.ts';
import { documentOf } from '../../../spec/documents.ts';
import { surfaces } from '../../../spec/openapi-document.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { operation } from '../../../spec/operations.ts';

export interface PrismMocks extends AsyncDisposable {
  readonly addresses: Readonly<Record<Surface, string>>;
}

/** As `prism mock DOCUMENT` has it. */
const config = {
  isProxy: false,
  upstreamProxy: undefined,
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: false,
  mock: { dynamic: false },
} as const;

export async function startPrismMocks(): Promise<PrismMocks> {
  const started = await Promise.all(surfaces.map(startPrismMock));
  const addresses = Object.fromEntries(started.map(({ surface, address }) => [surface, address]));
  return {
    addresses: addresses as Record<Surface, string>,
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map(({ server }) => server.close()));
    },
  };
}

export async function startPrismMock(surface: Surface) {
  const operations = await getHttpOperationsFromSpec(structuredClone(documentOf(surface)));
  const logger = createLogger(surface, { enabled: false });
  const server = createServer(operations, { cors: false, config, components: { logger } });
  return { surface, server, address: await server.listen(0, '127.0.0.1') };
}

/** Requests an operation from one of the servers; `prefer` selects one of several responses (RFC 7240). */
export async function askPrism(
  address: string,
  id: OperationId,
  { method, path, query, headers, body }: OperationRequest,
  prefer?: string,
): Promise<OperationResponse> {
  // A path parameter of OpenAPI is one segment: in a value with slashes they are encoded.
  const filled = operation(id).path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
  const response = await fetch(`${address}${filled}?${query}`, {
    method,
    headers: { ...(headers as Record<string, string>), ...(prefer === undefined ? {} : { prefer }) },
    body: body as string | null,
    redirect: 'manual',
  });
  return { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
}
