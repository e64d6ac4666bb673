/** The type of endpoints: functions from a call to a reply, independent of the web framework. */
import type { IncomingHttpHeaders } from 'node:http';
import type { OperationId, Operations } from '../../spec/generated/types.ts';
import type { Operation } from '../../spec/operations.ts';
import type { Credential, Workspace } from '../state/accounts.ts';
import type { Reply } from '../http/reply.ts';
import type { World } from '../world/world.ts';

export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Operation;
  readonly world: World;
  readonly credential: Credential;
  /** The workspace of the header, or else of the credential. */
  readonly workspace: Workspace;
  readonly path: Operations[Id]['path'];
  /** As sent, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Registers a function to call when the response is sent or the client disconnects; calls it at once if that has happened. */
  readonly onLeave: (release: () => void) => void;
  /** Decoded, in the order sent. Endpoints with query parameters validate them strictly. */
  readonly query: URLSearchParams;
  /** Of the body as sent; absent if it was not read. */
  readonly bodyBytes?: number;
  /** Valid against the operation's schema. */
  readonly body: Operations[Id]['body'];
  /** The requested API version, or the earliest stable one. */
  readonly version: string;
}

/** May throw a Problem; any other error is a bug of the mock. */
export type Endpoint<Id extends OperationId> = (
  call: Call<Id>,
) => Reply<Operations[Id]['reply']> | Promise<Reply<Operations[Id]['reply']>>;

/** Operations whose security is optional in the documents. */
export type OptionalAuthId = 'queryAgent' | 'queryAgentTrigger';

/** A call that may have no credential; the endpoint decides whether it needs one. */
export type OptionalAuthCall<Id extends OptionalAuthId = OptionalAuthId> = Omit<Call<Id>, 'credential'> & {
  readonly credential?: Credential;
};

export type OptionalAuthEndpoint<Id extends OptionalAuthId> = (call: OptionalAuthCall<Id>) => ReturnType<Endpoint<Id>>;
