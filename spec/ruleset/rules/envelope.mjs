// @ts-check
/** Rules for the envelope that all resources share: metadata, spec, status and events. */
import { finding } from '../document/place.mjs';
import { metadataOf, withReason } from '../document/resources.mjs';
import { isNotShown, isOfType, isRequired, keyword, property, useOf } from '../document/schema.mjs';
import { statuses } from '../values.mjs';
import { notTheListed } from './enumeration.mjs';
import { listed, rule } from './rule.mjs';

/** @typedef {import('../document/resources.mjs').Resource} Resource */
/** @typedef {import('../document/schema.mjs').Schema} Schema */
/** @typedef {import('./rule.mjs').Finding} Finding */

const READ_ONLY_METADATA = ['createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'plan', 'url', 'workspace'];
const EVENT_FIELDS = ['type', 'status', 'message', 'revision', 'canaryRevision', 'time'];
const VPC = ['components', 'schemas', 'Vpc'];

/**
 * Reports the fields that exist but are not readOnly.
 * @param {Resource} resource
 * @param {readonly [string, Schema | undefined][]} fields
 * @param {string} of
 * @returns {Finding[]}
 */
function notReadOnly(resource, fields, of) {
  return fields.flatMap(([name, field]) => {
    if (field === undefined || keyword(field, 'readOnly') === true) return [];
    const message = `"${name}" of ${of} is set by the service and must be readOnly.`;
    return [finding(useOf(field), withReason(resource, message))];
  });
}

/**
 * Returns a part of all resources, without duplicates that several resources share.
 * @param {readonly Resource[]} resources
 * @param {(resource: Resource) => Schema | undefined} pick
 * @returns {{ part: Schema, resource: Resource }[]}
 */
function shared(resources, pick) {
  const found = new Map();
  for (const resource of resources) {
    const part = pick(resource);
    const key = part?.at(-1)?.value;
    if (part !== undefined && !found.has(key)) found.set(key, { part, resource });
  }
  return [...found.values()];
}

/**
 * @param {string} name
 * @param {Schema | undefined} schema
 * @returns {[string, Schema | undefined]}
 */
const field = (name, schema) => [name, schema];

/** @param {readonly string[]} names */
const lacks = (names) =>
  names.length === 0 || names.length === EVENT_FIELDS.length ? '' : `; it lacks ${listed(names)}`;

/** @param {Resource} resource */
const eventsOf = ({ schema }) => property(schema, 'events');

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
        .filter(({ schema }) => !isNotShown(schema))
        .flatMap((resource) => {
          const { schema } = resource;
          const missing = ['metadata', 'spec'].filter((name) => !isRequired(schema, name));
          if (missing.length === 0) return [];
          const verb = missing.some((name) => property(schema, name) === undefined) ? 'have and require' : 'require';
          return [finding(schema[0], withReason(resource, `The resource must ${verb} ${listed(missing)}.`))];
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
    // In a flat resource, a client may set a url or a plan.
    find: ({ resources }) =>
      metadataOf(resources.filter(({ isFlat }) => !isFlat)).flatMap(({ metadata, resource }) => {
        const fields = READ_ONLY_METADATA.map((name) => field(name, property(metadata, name)));
        return notReadOnly(resource, fields, 'metadata');
      }),
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
    find: ({ resources }) =>
      resources.flatMap((resource) => {
        const fields = [field(resource.statusName ?? 'status', resource.status), field('events', eventsOf(resource))];
        return notReadOnly(resource, fields, 'a resource');
      }),
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
      shared(resources, ({ status }) => status).flatMap(({ part, resource }) =>
        notTheListed(part, statuses, 'the status').map(({ path, message }) => ({
          path,
          message: withReason(resource, message),
        })),
      ),
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
      shared(resources, eventsOf).flatMap(({ part: events }) => {
        if (isNotShown(events)) return [];
        const record = property(events, '[]');
        if (record === undefined || !isOfType(events, 'array'))
          return [finding(events[0], 'Events must be an array of event records.')];
        if (isNotShown(record)) return [];
        const missing = EVENT_FIELDS.filter((name) => property(record, name) === undefined);
        if (missing.length > 0 || !isOfType(record, 'object'))
          return [
            finding(record[0], `An event record must be an object with ${listed(EVENT_FIELDS)}${lacks(missing)}.`),
          ];
        return EVENT_FIELDS.flatMap((name) => {
          const member = property(record, name);
          if (member === undefined || isOfType(member, 'string')) return [];
          return [finding(member[0], `"${name}" of an event record must be a string.`)];
        });
      }),
  }),
];
