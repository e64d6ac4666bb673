/** Sends the same request many times over a few connections, and measures the server's CPU time. */
import { Pool } from 'undici';
import type { Served } from './served.ts';

export interface Request {
  readonly method: 'GET' | 'PUT' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface Cost {
  /** Of the server, for one request. */
  readonly cpuMicroseconds: number;
  readonly requestsPerSecond: number;
}

const CONNECTIONS = 16;

/** Throws if a response is not a success, because an error may be faster. */
export async function load(server: Served, request: Request, count: number): Promise<Cost> {
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: CONNECTIONS });
  const before = await server.cpuMicroseconds();
  const start = performance.now();
  let left = count;
  // Never asleep while it waits: waking it would be charged to the server, and to the slower one much more.
  const stayAwake = () => void (left > 0 && setImmediate(stayAwake));
  stayAwake();
  const ask = async () => {
    while (left-- > 0) await once(pool, server.token, request);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, ask));
  const seconds = (performance.now() - start) / 1000;
  const after = await server.cpuMicroseconds();
  await pool.close();
  return { cpuMicroseconds: (after - before) / count, requestsPerSecond: count / seconds };
}

export async function once(pool: Pool, token: string, { method, path, body }: Request): Promise<string> {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  const text = await answer.body.text();
  if (answer.statusCode >= 300)
    throw new Error(`${method} ${path} failed with status ${answer.statusCode}: ${text.slice(0, 200)}`);
  return text;
}
