/** Points whose number the target decides, by rule: `what` is derived from the value. */
import { discoveryList, scopeAccess, type DiscoveryDocument } from './value-kind.ts';

export const pointFamilies = {
  'oauth.extras.what-the-server-offers': {
    kind: discoveryList,
    what: ({ document, member }: { document: DiscoveryDocument; member: string }) => `${document}: ${member}` as const,
  },
  'auth.scopes.what-each-operation-accepts': {
    kind: scopeAccess,
    what: ({ operation, scope }: { operation: string; scope: string }) => `${operation} with ${scope} alone` as const,
  },
} as const;
