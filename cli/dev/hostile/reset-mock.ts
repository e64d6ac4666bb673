/** Brings the mock back to its initial state between kinds of traffic, through its control API. */
import type { AttackedMock } from './attack.ts';

export interface ProbeTarget {
  readonly url: string;
  readonly token: string;
}

export interface MockReset {
  /** What the second client requests, of a world that no attack knows. */
  readonly probeTarget: ProbeTarget;
  /** Resets the first world, and removes all others except that of the second client. */
  readonly reset: () => Promise<void>;
}

/** `probeWorld`: the id of the world to create for the second client. */
export async function prepareReset({ port, controlToken }: AttackedMock, probeWorld: string): Promise<MockReset> {
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' };
    const init = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(`http://127.0.0.1:${port}/_mock${path}`, init);
    const text = await response.text();
    // An earlier request of an attack may remove a world at the same time.
    const isGone = method === 'DELETE' && response.status === 404;
    if (!response.ok && !isGone) throw new Error(`${method} /_mock${path} responded ${response.status}: ${text}`);
    return text === '' || isGone ? undefined : JSON.parse(text);
  };
  const { target } = (await call('POST', '/worlds', { id: probeWorld })) as Pick<AttackedMock, 'target'>;
  return {
    probeTarget: { url: `${target.addresses.management}/accounts`, token: target.credentials.admin.value },
    reset: async () => {
      const { worlds } = (await call('GET', '/worlds')) as {
        readonly worlds: readonly { readonly id: string | null }[];
      };
      for (const { id } of worlds)
        if (id !== null && id !== probeWorld) await call('DELETE', `/worlds/${encodeURIComponent(id)}`);
      await call('POST', '/reset');
    },
  };
}
