/** All calls of `/_mock` by path and method. Loaded on demand, so that the first request, usually for health, is fast. */
import type { AnyControlCall } from './control-call.ts';

export const calls: Readonly<Record<string, Readonly<Record<string, () => Promise<AnyControlCall>>>>> = {
  '': { GET: async () => (await import('../console/get-console.ts')).redirectToConsole },
  '/': { GET: async () => (await import('../console/get-console.ts')).getConsole },
  '/console/{file}': { GET: async () => (await import('../console/get-console.ts')).getConsoleFile },
  '/docs': { GET: async () => (await import('../console/get-docs.ts')).getDocs },
  '/docs/{file}': { GET: async () => (await import('../console/get-docs.ts')).getDocsFile },
  '/health': { GET: async () => (await import('./get-health.ts')).getHealth },
  '/target': { GET: async () => (await import('./get-target.ts')).getTarget },
  '/openapi.json': { GET: async () => (await import('./get-openapi.ts')).getOpenapi },
  '/clock': {
    GET: async () => (await import('./get-clock.ts')).getClock,
    PUT: async () => (await import('./put-clock.ts')).putClock,
  },
  '/reset': { POST: async () => (await import('./post-reset.ts')).postReset },
  '/snapshot': {
    GET: async () => (await import('./get-snapshot.ts')).getSnapshot,
    PUT: async () => (await import('./put-snapshot.ts')).putSnapshot,
  },
  '/requests': {
    GET: async () => (await import('./get-requests.ts')).getRequests,
    DELETE: async () => (await import('./delete-requests.ts')).deleteRequests,
  },
  '/verify': { POST: async () => (await import('./post-verify.ts')).postVerify },
  '/invocations': { GET: async () => (await import('./get-invocations.ts')).getInvocations },
  '/outbox': { GET: async () => (await import('./get-outbox.ts')).getOutbox },
  '/faults': {
    GET: async () => (await import('./get-faults.ts')).getFaults,
    PUT: async () => (await import('./put-faults.ts')).putFaults,
    DELETE: async () => (await import('./delete-faults.ts')).deleteFaults,
  },
  '/responses': {
    GET: async () => (await import('./get-responses.ts')).getResponses,
    PUT: async () => (await import('./put-responses.ts')).putResponses,
    DELETE: async () => (await import('./delete-responses.ts')).deleteResponses,
  },
  '/deployments/{collection}/{name}': {
    PUT: async () => (await import('./put-deployment.ts')).putDeployment,
  },
  '/tokens': { POST: async () => (await import('./post-tokens.ts')).postTokens },
  '/resources': { GET: async () => (await import('./get-resources.ts')).getResources },
  '/worlds': {
    GET: async () => (await import('./get-worlds.ts')).getWorlds,
    POST: async () => (await import('./post-worlds.ts')).postWorlds,
  },
  '/worlds/{id}': { DELETE: async () => (await import('./delete-world.ts')).deleteWorld },
};
