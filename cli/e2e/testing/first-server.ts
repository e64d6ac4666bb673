/** A server that is being built: it has GET /accounts, and answers everything else with one status. */
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { localServer } from '../../../suites/testing/local-server.ts';
import type { LocalResponse } from '../../../suites/testing/local-server.ts';

export interface FirstServer extends AsyncDisposable {
  /** Names everything that a target file can, and none of it exists but the account. */
  readonly target: TargetFile;
}

const TOKEN = 'my-first-token';

interface Responses {
  /** Of everything but GET /accounts. Defaults to 404. */
  readonly status?: number;
  /** Of the token endpoint and the authorization page. Defaults to `status`. */
  readonly oauth?: number;
  /** Whether the router answers with text that repeats the path, in place of JSON. */
  readonly isText?: boolean;
  /** Whether it accepts requests without a credential, and the target file has none. */
  readonly isOpen?: boolean;
}

export async function firstServer({
  status = 404,
  oauth = status,
  isText,
  isOpen,
}: Responses = {}): Promise<FirstServer> {
  const server = await localServer(({ method, url, headers }): LocalResponse => {
    const [path = ''] = url.split('?', 1);
    const isKnown =
      isOpen === true || [headers.authorization, headers['x-svc-authorization']].includes(`Bearer ${TOKEN}`);
    if (path === '/v0/accounts') return isKnown ? { body: [{ id: 'acc-1', name: 'mine' }] } : refusal(401);
    if (isText === true) return { status, body: `Cannot ${method} ${path}` };
    return refusal(path.includes('/oauth/') ? oauth : status);
  });
  return {
    target: {
      addresses: { management: `${server.address}/v0`, inference: server.address, sandbox: `${server.address}/sbx` },
      credentials: isOpen === true ? {} : { admin: { value: TOKEN } },
      workspace: 'demo',
      client: { id: { value: 'assay-client' }, secret: { value: 'my-client-secret' } },
      resources: {
        agent: 'a1',
        model: 'm1',
        function: 'f1',
        job: 'j1',
        sandbox: 's1',
        integration: 'i1',
        mailIntegration: 'i2',
        connection: 'c1',
      },
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const refusal = (status: number): LocalResponse => ({
  status,
  body: { error: 'refused', code: status, message: 'no route' },
});
