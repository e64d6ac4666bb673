/** Rules for the envelope that all resources share: metadata, spec, status and events. */
import type { Requirement } from './requirement.ts';
import { statuses } from '../values.ts';

export const resourcesRequirements = [
  {
    id: 'resources.envelope.metadata-and-spec',
    level: 'must',
    rule: 'In responses of a documented shape (agent, VPC, volume template), metadata and spec are objects, and metadata has name and workspace; other responses are checked only if they include metadata.',
    sources: [
      { heading: 'Common envelope', words: '`metadata` (required), `spec` (required)' },
      { heading: 'Metadata', words: 'Workspace the resource belongs to, set automatically.' },
    ],
    needs: [],
    operations: ['updateAgent', 'createVpc', 'deleteVolumeTemplateVersion'],
  },
  {
    id: 'resources.status.known-value',
    level: 'must',
    rule: 'If present, status is one of DELETING, TERMINATED, FAILED, DEACTIVATED, DEACTIVATING, UPLOADING, BUILDING, DEPLOYING, DEPLOYED and BUILT.',
    sources: [
      {
        heading: 'States and transitions',
        words: 'The deployment status of a resource (`status`, read-only) is one of',
      },
    ],
    needs: [],
    operations: ['updateAgent', 'createVpc'],
    values: { statuses },
  },
  {
    id: 'resources.events.record-shape',
    level: 'must',
    rule: 'If present, events is an array of records, and their type, status, message, revision, canaryRevision and time are strings if present.',
    sources: [
      { heading: 'Event record (CoreEvent, read-only)', words: 'string (timestamp)' },
      { heading: 'Events', words: 'a resource carries a read-only `events` array of event records' },
    ],
    needs: [],
    operations: ['updateAgent', 'createVpc'],
  },
  {
    id: 'resources.read-only.never-taken-from-client',
    level: 'must',
    rule: "createdAt, updatedAt, createdBy, updatedBy, plan, url, workspace, status and events sent by a client never take effect: the write is rejected or the server's own values remain.",
    sources: [
      { heading: 'Metadata', words: 'Read-only; user or service account.' },
      { heading: 'Common envelope', words: '`status` (read-only), `events` (read-only array of event records)' },
    ],
    needs: ['write'],
    operations: ['updateAgent', 'createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'resources.timestamps.ordered',
    level: 'must',
    rule: 'createdAt and updatedAt are timestamps, and updatedAt is not before createdAt.',
    sources: [{ heading: 'Metadata', words: 'Read-only timestamps.' }],
    needs: ['write'],
    operations: ['updateAgent', 'createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'resources.timestamps.creation-kept',
    level: 'must',
    rule: 'An update does not change createdAt and createdBy.',
    sources: [{ heading: 'Metadata', words: 'Read-only timestamps.' }],
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'resources.url.present-on-workloads',
    level: 'must',
    rule: 'The metadata returned for a deployed agent has an absolute url; if an agent that is not yet deployed or a function has a url, it is absolute.',
    sources: [{ heading: 'Metadata', words: 'Auto-generated endpoint URL (agents, functions, models, sandboxes).' }],
    needs: ['agent'],
    operations: ['updateAgent', 'createFunction'],
  },
  {
    id: 'resources.shapes.fit-the-schema',
    level: 'must',
    rule: 'Every success body matches its schema in the OpenAPI document (additional properties are allowed).',
    sources: [{ heading: 'Versioning', words: 'Pinning a version fixes the response shapes' }],
    needs: [],
    operations: ['management', 'host', 'inference', 'sandbox'],
  },
  {
    id: 'resources.lifecycle.status-sequence',
    level: 'observe',
    rule: 'The sequence of statuses after a write, the event types and the time between them.',
    sources: [{ heading: 'States and transitions', words: 'Transitions: not shown.' }],
    needs: ['write'],
    operations: ['updateAgent', 'createVpc', 'createIntegrationConnection', 'createFunction'],
  },
] as const satisfies readonly Requirement[];
