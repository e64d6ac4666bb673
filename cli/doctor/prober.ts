/** Sends the GET requests of the checks, and reports responses and network errors. */
import type { Surface } from '../../spec/openapi-document.ts';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { CallInput, Caller, HeaderInput } from '../../suites/target/request-types.ts';
import type { Target } from '../../suites/target/target.ts';
import { HarnessError } from '../../suites/target/transport.ts';
import type { Transport } from '../../suites/target/transport.ts';
import { callHeaders, fillPath, mergeHeaders, queryString, wireRequest } from '../../suites/target/wire-request.ts';

export interface ProbeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** When the request was sent and the response complete, in milliseconds since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** For messages: method and path. */
  readonly request: string;
}

/** `error`: there was no response. */
export type ProbeResult = ProbeResponse | { readonly error: unknown; readonly request: string };

export interface Prober {
  /** Throws NotTried if the target has no value for a path parameter that the input omits. */
  call(id: OperationId, caller?: Caller, input?: Pick<CallInput, 'path' | 'query' | 'headers'>): Promise<ProbeResult>;
  /** The path is relative to the address. */
  get(surface: Surface, path: string, caller?: Caller, headers?: HeaderInput): Promise<ProbeResult>;
}

export function createProber(target: Target, transport: Transport): Prober {
  async function get(
    surface: Surface,
    path: string,
    caller: Caller = {},
    further: HeaderInput = {},
  ): Promise<ProbeResult> {
    const request = `GET ${path.split('?', 1)[0]}`;
    const headers = mergeHeaders(callHeaders(target, caller, surface, 'GET', false), further);
    const startMs = Date.now();
    try {
      const response = await transport.send(wireRequest(target, { surface, method: 'GET', path, headers }));
      return { ...response, request, startMs, endMs: Date.now() };
    } catch (error) {
      if (error instanceof HarnessError) return { error, request };
      throw error;
    }
  }
  return {
    get,
    call(id, caller, { path, query, headers } = {}) {
      const { surface, path: template } = operation(id);
      return get(surface, fillPath(template, target, path) + queryString(query), caller, headers);
    },
  };
}

export const hasResponse = (result: ProbeResult): result is ProbeResponse => 'status' in result;

/** Such as "GET /accounts returned 401". */
export const describeResponse = ({ request, status }: ProbeResponse): string => `${request} returned ${status}`;
