/** The two headers for credentials, and callers without a valid credential. */
import { headerNames } from '../../../spec/brand.ts';
import { operation } from '../../../spec/operations.ts';
import type { OperationId } from '../../../spec/operations.ts';
import { earliestStable } from '../../../spec/versions.ts';
import type { Run } from '../../engine/conforms.ts';
import { encoded } from '../../generators/tampered-jwt.ts';
import type { Client, Exchange } from '../../target/client.ts';
import type { CallInput, HeaderInput } from '../../target/request-types.ts';
import { responseHead } from '../stream-head.ts';
import type { TriggerEvents } from '../stream-head.ts';

type Targeted = Pick<Run, 'target'>;

/**
 * A header that carries credentials: its name, and the headers of a request whose only credential is a value of this
 * header.
 */
export interface Carrier {
  readonly name: string;
  with(value: string): HeaderInput;
}

export function carriersOf({ target }: Targeted): { readonly standard: Carrier; readonly brand: Carrier } {
  const name = headerNames(target.brand).authorization;
  return {
    standard: { name: 'Authorization', with: (value) => ({ Authorization: value }) },
    brand: { name, with: (value) => ({ Authorization: undefined, [name]: value }) },
  };
}

/** A caller without a valid credential, and how to send requests as that caller. */
export interface Stranger {
  readonly who: string;
  send(id: OperationId, input: CallInput): Promise<Exchange>;
  /** Returns when the response headers arrive, for responses that may never end. */
  sendForHead(id: OperationId, input: CallInput, triggerEvents?: TriggerEvents): Promise<Exchange>;
}

export const UNKNOWN = 'Bearer assay-unknown-credential';

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

/** Whole header values. None could be accepted by a lenient server. */
export const MALFORMED: readonly string[] = [
  'Bearer',
  'bearer',
  'assay-unknown-credential',
  'Bearer assay unknown',
  'Bearer assay-unknown,credential',
  'Bearer null',
  'Bearer undefined',
  'Bearer ..',
  'Bearer a.b.c',
  'Bearer W10.W10.W10', // Parts that are JSON, and no objects.
  'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhc3NheSIsInNjb3BlIjoiYWRtaW4ifQ.',
  'Token assay-unknown-credential',
  basic('assay:assay'),
  basic('admin:admin'),
  'Digest username="assay"',
  ',',
];

/**
 * A JWT with an admin's claims, which a server that does not verify signatures would accept. No token of the target
 * starts like it.
 */
export const UNSIGNED = [
  encoded({ kid: 'assay', alg: 'HS256', typ: 'JWT' }),
  encoded({ sub: 'assay', scope: 'admin', iat: 1_700_000_000, exp: 4_102_444_800 }),
  Buffer.alloc(32, 'assay').toString('base64url'),
].join('.');

/** No credential, and a credential that was never issued, in either header. */
export function strangersOf(run: Run): Stranger[] {
  const { standard, brand } = carriersOf(run);
  const unknown = [standard, brand].map((carrier) => ({
    who: `an unknown credential in ${carrier.name}`,
    headers: carrier.with(UNKNOWN),
  }));
  const forged = { who: 'an unsigned JWT', headers: standard.with(`Bearer ${UNSIGNED}`) };
  return [{ who: 'no credential', headers: {} }, ...unknown, forged].map(({ who, headers }) =>
    strangerWith(run, who, run.as('none'), headers),
  );
}

/** Callers that send a token, one for each header. */
export function bearersOf(run: Run, who: string, token: string): Stranger[] {
  const { standard, brand } = carriersOf(run);
  return [standard, brand].map((carrier) =>
    strangerWith(run, `${who} in ${carrier.name}`, run.as({ token }), carrier.with(`Bearer ${token}`)),
  );
}

/** The same caller, who names the version that applies anyway: what it may do is the same. */
export function withVersion({ target }: Targeted, caller: Stranger): Stranger {
  const named = (input: CallInput): CallInput => ({
    ...input,
    headers: { [headerNames(target.brand).version]: earliestStable, ...input.headers },
  });
  return {
    who: `${caller.who}, with a version`,
    send: (id, input) => caller.send(id, named(input)),
    sendForHead: (id, input, triggerEvents) => caller.sendForHead(id, named(input), triggerEvents),
  };
}

function strangerWith({ target }: Run, who: string, as: Client, headers: HeaderInput): Stranger {
  const full = (id: OperationId, input: CallInput): CallInput => ({
    ...input,
    headers: { ...workspaceHeader(target, id), ...input.headers, ...headers },
  });
  return {
    who,
    send: (id, input) => as.call(id, full(id, input)),
    sendForHead: (id, input, triggerEvents) => responseHead(as.open(id, full(id, input)), triggerEvents),
  };
}

/** All creates carry this header, so that it is not the missing part. */
function workspaceHeader({ brand, workspace }: Run['target'], id: OperationId): HeaderInput {
  const { surface, method } = operation(id);
  const creates = surface === 'management' && method === 'POST';
  return creates && workspace !== undefined ? { [headerNames(brand).workspace]: workspace } : {};
}
