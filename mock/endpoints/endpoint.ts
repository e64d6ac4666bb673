/** What an endpoint is: a function from a call to a reply, which never sees the web framework. */
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
  /** The workspace the call is about: the header's, else the credential's. */
  readonly workspace: Workspace;
  readonly path: Operations[Id]['path'];
  /** As sent, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Calls when the answer is sent or the client has left, at once where it has already: lets go of what the call waits for. */
  readonly onLeave: (release: () => void) => void;
  /** As sent and decoded, in order; an endpoint that takes query parameters reads them strictly. */
  readonly query: URLSearchParams;
  /** Fits the operation's schema. */
  readonly body: Operations[Id]['body'];
  /** The version of the interface that was asked for, or the earliest stable one. */
  readonly version: string;
}

/** May throw a Problem; anything else it throws is a fault of the mock. */
export type Endpoint<Id extends OperationId> = (
  call: Call<Id>,
) => Reply<Operations[Id]['reply']> | Promise<Reply<Operations[Id]['reply']>>;

/** Operations that ask for a credential, but not always: those whose security the documents make optional. */
export type OpenId = 'queryAgent' | 'queryAgentTrigger';

/** A call that may come without a credential; the endpoint decides whether it may stay. */
export type OpenCall<Id extends OpenId = OpenId> = Omit<Call<Id>, 'credential'> & { readonly credential?: Credential };

export type OpenEndpoint<Id extends OpenId> = (call: OpenCall<Id>) => ReturnType<Endpoint<Id>>;
