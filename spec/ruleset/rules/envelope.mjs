// @ts-check
/** Rules for the envelope that all resources share: metadata, spec, status and events. */
import { finding } from '../document/place.mjs';
import { isNotShown, isOfType, isRequired, keyword, property, useOf } from '../document/schema.mjs';
import { statuses } from '../values.mjs';
import { notTheListed } from './enumeration.mjs';
import { listed, rule } from './rule.mjs';

/** @typedef {import('../document/schema.mjs').Schema} Schema */
/** @typedef {import('./rule.mjs').Finding} Finding */

const READ_ONLY_METADATA = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'plan', 'url', 'workspace'];
const EVENT_FIELDS = ['type', 'status', 'message', 'revision', 'canaryRevision', 'time'];
const VPC = ['components', 'schemas', 'Vpc'];

/**
 * Reports the properties that exist but are not readOnly.
 * @param {Schema} schema
 * @param {readonly string[]} names
 * @param {string} of
 * @returns {Finding[]}
 */
function notReadOnly(schema, names, of) {
  return names.flatMap((name) => {
    const field = property(schema, name);
    if (field === undefined || keyword(field, 'readOnly') === true) return [];
    return [finding(useOf(field), `"${name}" of ${of} is set by the service and must be readOnly.`)];
  });
}

/**
 * Returns the property of all resources, without duplicates that several resources share.
 * @param {readonly Schema[]} resources
 * @param {...string} names
 * @returns {Schema[]}
 */
function shared(resources, ...names) {
  const found = new Map();
  for (const resource of resources) {
    const schema = property(resource, ...names);
    const key = schema?.at(-1)?.value;
    if (schema !== undefined && !found.has(key)) found.set(key, schema);
  }
  return [...found.values()];
}

export const envelopeRules = [
  rule({
    id: 'envelope-required',
    description: 'A resource requires its metadata and its spec.',
    requirements: [
      'resources.envelope.metadata-and-spec',
      'agents.update.envelope-required',
      'vpcs.create.envelope-required',
    ],
    example: { within: 'resource', at: VPC, good: { required: ['metadata', 'spec'] }, bad: { required: ['metadata'] } },
    find: ({ resources }) =>
      resources
        .filter((schema) => !isNotShown(schema))
        .flatMap((schema) => {
          const missing = ['metadata', 'spec'].filter((name) => !isRequired(schema, name));
          return missing.length === 0 ? [] : [finding(schema[0], `The resource must require ${listed(missing)}.`)];
        }),
  }),
  rule({
    id: 'metadata-read-only',
    description: 'Metadata set by the service is readOnly: timestamps, their authors, plan, url and workspace.',
    requirements: ['resources.read-only.never-taken-from-client'],
    example: {
      within: 'resource',
      at: ['components', 'schemas', 'Metadata', 'properties', 'createdAt'],
      good: { readOnly: true },
      bad: { readOnly: null },
    },
    find: ({ metadata }) => metadata.flatMap((schema) => notReadOnly(schema, READ_ONLY_METADATA, 'metadata')),
  }),
  rule({
    id: 'envelope-read-only',
    description: 'Status and events of a resource are readOnly.',
    requirements: ['resources.read-only.never-taken-from-client'],
    example: {
      within: 'resource',
      at: [...VPC, 'properties', 'status'],
      good: { readOnly: true },
      bad: { readOnly: null },
    },
    find: ({ resources }) => resources.flatMap((schema) => notReadOnly(schema, ['status', 'events'], 'a resource')),
  }),
  rule({
    id: 'status-values',
    description: 'The status of a resource is one of the ten deployment statuses.',
    requirements: ['resources.status.known-value'],
    example: {
      within: 'resource',
      at: ['components', 'schemas', 'DeploymentStatus'],
      good: { enum: statuses },
      bad: { enum: [...statuses.slice(0, -1), 'READY'] },
    },
    find: ({ resources }) =>
      shared(resources, 'status').flatMap((schema) => notTheListed(schema, statuses, 'the status')),
  }),
  rule({
    id: 'event-records',
    description:
      'Events are an array of objects whose type, status, message, revision, canaryRevision and time are strings.',
    requirements: ['resources.events.record-shape'],
    example: {
      within: 'resource',
      at: ['components', 'schemas', 'CoreEvent', 'properties', 'time'],
      good: { type: 'string' },
      bad: { type: 'integer' },
    },
    find: ({ resources }) =>
      shared(resources, 'events').flatMap((events) => {
        const record = property(events, '[]');
        if (record === undefined) return [finding(events[0], 'Events must be an array of event records.')];
        return EVENT_FIELDS.flatMap((name) => {
          const field = property(record, name);
          if (field === undefined || isOfType(field, 'string')) return [];
          return [finding(field[0], `"${name}" of an event record must be a string.`)];
        });
      }),
  }),
];
