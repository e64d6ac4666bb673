/** Rules of the envelope that all resources share: metadata, spec, status, events. */
import type { Requirement } from './requirement.ts';
import { statuses } from '../values.ts';

export const resourcesRequirements = [
  {
    id: 'resources.envelope.metadata-and-spec',
    level: 'must',
    rule: 'In answers of a documented shape (agent, VPC, volume template) metadata and spec are objects and metadata has name and workspace; other answers are held to it only where they show metadata.',
    needs: [],
    operations: ['updateAgent', 'createVpc', 'deleteVolumeTemplateVersion'],
  },
  {
    id: 'resources.status.known-value',
    level: 'must',
    rule: 'status, where present, is one of DELETING TERMINATED FAILED DEACTIVATED DEACTIVATING UPLOADING BUILDING DEPLOYING DEPLOYED BUILT.',
    needs: [],
    operations: ['updateAgent', 'createVpc'],
    values: { statuses },
  },
  {
    id: 'resources.events.record-shape',
    level: 'must',
    rule: 'events, where present, is an array of records whose type, status, message, revision, canaryRevision and time, where present, are strings.',
    needs: [],
    operations: ['updateAgent', 'createVpc'],
  },
  {
    id: 'resources.read-only.never-taken-from-client',
    level: 'must',
    rule: "createdAt, updatedAt, createdBy, updatedBy, plan, url, workspace, status and events sent by a client never take effect: the write is refused or the server's own values stand.",
    needs: ['write'],
    operations: ['updateAgent', 'createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'resources.timestamps.ordered',
    level: 'must',
    rule: 'createdAt and updatedAt are timestamps, and updatedAt is not before createdAt.',
    needs: ['write'],
    operations: ['updateAgent', 'createVpc', 'createIntegrationConnection', 'createFunction'],
  },
  {
    id: 'resources.timestamps.creation-kept',
    level: 'must',
    rule: 'An update leaves createdAt and createdBy as they were.',
    needs: ['agent', 'write'],
    operations: ['updateAgent'],
  },
  {
    id: 'resources.url.present-on-workloads',
    level: 'must',
    rule: 'The answered metadata of a deployed agent has an absolute url; a url that is shown of an agent that is not deployed yet, or of a function, is absolute.',
    needs: ['agent'],
    operations: ['updateAgent', 'createFunction'],
  },
  {
    id: 'resources.shapes.fit-the-schema',
    level: 'must',
    rule: 'Every success body fits its schema in the OpenAPI document (additional properties allowed).',
    needs: [],
    operations: ['management', 'host', 'inference', 'sandbox'],
  },
  {
    id: 'resources.lifecycle.status-sequence',
    level: 'observe',
    rule: 'The sequence of statuses after a write, the event types seen, and the time between them.',
    needs: ['write'],
    operations: ['updateAgent', 'createVpc', 'createIntegrationConnection', 'createFunction'],
  },
] as const satisfies readonly Requirement[];
