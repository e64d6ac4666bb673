/** A server that is being built: it has GET /accounts, and answers everything else with one status. */
import type { TargetFile } from '../../../spec/formats/target-file.ts';
import { localServer } from '../../../suites/testing/local-server.ts';
import type { LocalResponse } from '../../../suites/testing/local-server.ts';

export interface FirstServer extends AsyncDisposable {
  /** Names everything that a target file can, and none of it exists but the account. */
  readonly target: TargetFile;
}

const TOKEN = 'my-first-token';

/** Defaults: 404, also to `oauth`: the token endpoint and the authorization page. */
export async function firstServer(status = 404, oauth = status): Promise<FirstServer> {
  const server = await localServer(({ url, headers }): LocalResponse => {
    const [path = ''] = url.split('?', 1);
    const isKnown = [headers.authorization, headers['x-svc-authorization']].includes(`Bearer ${TOKEN}`);
    if (path === '/v0/accounts') return isKnown ? { body: [{ id: 'acc-1', name: 'mine' }] } : refusal(401);
    return refusal(path.includes('/oauth/') ? oauth : status);
  });
  return {
    target: {
      addresses: { management: `${server.address}/v0`, inference: server.address, sandbox: `${server.address}/sbx` },
      credentials: { admin: { value: TOKEN } },
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
