// @ts-check
/** Recognizes the resources of a document: by their members metadata and spec, or by the operations that return them. */
import { isAddressedByName } from './collections.mjs';
import { contextsIn } from './contexts.mjs';
import { statuses } from '../values.mjs';
import { below, follow, isMap, itemsOf } from './place.mjs';
import {
  allowedValues,
  choicesOf,
  isNotShown,
  isOfType,
  keyword,
  plainName,
  property,
  propertyNames,
  schemaAt,
} from './schema.mjs';

/** @typedef {import('./collections.mjs').Collection} Collection */
/** @typedef {import('./collections.mjs').Role} Role */
/** @typedef {import('./operations.mjs').Body} Body */
/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('./place.mjs').Place} Place */
/** @typedef {import('./schema.mjs').Schema} Schema */

/**
 * @typedef {object} Resource
 * @property {Schema} schema
 * @property {string | undefined} name The name of its component, for messages. Undefined if its schema is not a component.
 * @property {string} reason Why it is a resource, such as `GET /gadgets/{gadgetName} returns it`.
 * @property {Schema | undefined} metadata The member with the name of the resource; the resource itself if it is flat.
 * @property {boolean} isFlat Whether the name is a member of the resource itself.
 * @property {string | undefined} statusName The member that has the status of its deployment.
 * @property {Schema | undefined} status
 */

/** @typedef {{ schema: Schema, reason: string }} Candidate */

/** Fields of metadata, of which a member with another name must have two. */
const METADATA_FIELDS = ['displayName', 'labels', 'createdAt', 'updatedAt', 'createdBy', 'updatedBy', 'workspace'];
const SHAPE = 'it has metadata and spec';

/** Members of resources that few other APIs have. */
const OWN_MEMBERS = {
  metadata: ['displayName', 'createdBy', 'updatedBy', 'plan', 'workspace'],
  spec: ['triggers', 'runtime', 'revision', 'policies', 'integration', 'integrationConnections'],
};
/** Metadata of the objects of Kubernetes, and of what imitates it. */
const KUBERNETES_METADATA = ['namespace', 'annotations', 'creationTimestamp', 'resourceVersion', 'ownerReferences'];

/**
 * @param {readonly Place[]} schemas Every schema of the document.
 * @param {readonly Collection[]} collections
 * @param {readonly Operation[]} operations
 * @param {boolean} isMarked Whether the document has a mark of the service. Without one, what a collection contains needs evidence of its own.
 * @returns {Resource[]} Each schema once.
 */
export function resourcesOf(schemas, collections, operations, isMarked) {
  const placeOf = new Map(schemas.map((place) => [place.value, place]));
  const records = recordsWithin(operations);
  const known = envelopes(schemas).filter(({ schema }) => !records.has(schema[0].value));
  const values = new Set(known.map(({ schema }) => schema[0].value));
  const contents = collections.flatMap((each) => contentsOf(each, values));
  const candidates = [...known, ...contents.filter(({ schema }) => isMarked || hasResourceFields(schema))];
  const found = new Map();
  const contextsOf = contextsIn(schemas);
  for (const { schema, reason } of candidates) {
    const { value } = follow(schema[0]);
    const place = placeOf.get(value) ?? schema[0];
    if (!found.has(value) && !records.has(value))
      found.set(value, { ...resourceAt(withBeside(place, contextsOf)), reason });
  }
  return [...found.values()];
}

/**
 * Returns the schema at a place, for an alternative of a choice with what is beside the choice.
 * @param {Place} place
 * @param {ReturnType<typeof contextsIn>} contextsOf
 * @returns {Schema}
 */
function withBeside(place, contextsOf) {
  const schema = schemaAt(place);
  if (!/^(anyOf|oneOf)$/.test(String(place.path.at(-2)))) return schema;
  const [context = [], another] = contextsOf(place);
  return another === undefined ? [...schema, ...context] : schema;
}

/**
 * Returns the schemas of what resources contain that is no resource, such as the executions of a job: only operations
 * within a resource have them, and their statuses are others than those of deployments.
 * @param {readonly Operation[]} operations
 * @returns {Set<unknown>}
 */
function recordsWithin(operations) {
  const isWithin = (/** @type {Operation} */ { template }) => /\{[^{}]*\}\/[^{}]*[^{}/]/.test(template);
  const used = (/** @type {boolean} */ isInside) =>
    operations.filter((each) => isWithin(each) === isInside).flatMap(contentSchemas);
  const outside = new Set(used(false).map((schema) => follow(schema[0]).value));
  const records = used(true).filter((schema) => {
    const values = allowedValues(property(schema, 'status'));
    return values !== undefined && sharedStatuses(property(schema, 'status')) < 2;
  });
  return new Set(records.map((schema) => follow(schema[0]).value).filter((value) => !outside.has(value)));
}

/**
 * Returns the schemas of what an operation takes and returns, without arrays and other wrappers.
 * @param {Operation} operation
 */
export const contentSchemas = ({ requestBody, responses }) =>
  [requestBody ?? [], responses.filter(({ status }) => status.startsWith('2'))]
    .flat()
    .flatMap(({ contents }) => contents)
    .flatMap(({ schema }) => (schema === undefined ? [] : unwrapped(schema, true, new Set())));

/**
 * Whether a schema has metadata and spec. Kubernetes has other rules for the same members.
 * @param {Schema} schema
 */
export const isEnvelope = (schema) => hasAll(schema, ['metadata', 'spec']) && !hasAll(schema, ['apiVersion', 'kind']);

/**
 * Counts the members of metadata and spec that few other APIs have, in any case.
 * @param {Schema} schema
 */
export function ownMemberCount(schema) {
  return Object.entries(OWN_MEMBERS).flatMap(([name, own]) => {
    const found = new Set(propertyNames(property(schema, name)).map(plainName));
    return own.filter((each) => found.has(plainName(each)));
  }).length;
}

/**
 * Whether a schema with metadata and spec has metadata of Kubernetes, or a status that is an object or has none of the deployment
 * statuses among its values.
 * @param {Schema} schema
 */
export function contradictsEnvelope(schema) {
  const status = property(schema, 'status');
  return (
    KUBERNETES_METADATA.some((name) => property(schema, 'metadata', name) !== undefined) ||
    isOfType(status, 'object') ||
    (allowedValues(status) !== undefined && sharedStatuses(status) === 0)
  );
}

/**
 * Returns the schemas with metadata and spec. Those that others include with `allOf` are parts, not resources.
 * @param {readonly Place[]} schemas
 * @returns {Candidate[]}
 */
function envelopes(schemas) {
  const parts = new Set(
    schemas.flatMap((place) => itemsOf(allOf(place)).flatMap((part) => [part.value, follow(part).value])),
  );
  return schemas
    .filter(({ value }) => !parts.has(value) && isMap(value) && !('$ref' in value))
    .map(schemaAt)
    .filter(isEnvelope)
    .map((schema) => ({ schema, reason: SHAPE }));
}

/** @param {Place} place */
const allOf = (place) => (isMap(place.value) && 'allOf' in place.value ? below(place, 'allOf') : undefined);

/**
 * @param {Schema} schema
 * @param {readonly string[]} names
 */
const hasAll = (schema, names) => names.every((name) => property(schema, name) !== undefined);

/**
 * Returns what the operations of a collection return and take, without what is known already, if it is a resource: a member has the name of the resource,
 * or the resource itself has a name that the client chooses.
 * @param {Collection} collection
 * @param {ReadonlySet<unknown>} known
 * @returns {Candidate[]}
 */
function contentsOf(collection, known) {
  const taken = bodies(collection, known, ['create', 'update'], 'takes', ({ requestBody }) => requestBody ?? []);
  const returned = bodies(collection, known, ['get', 'list', 'create', 'update'], 'returns', ({ responses }) =>
    responses.filter(({ status }) => status.startsWith('2')),
  );
  // What is flat below a resource, such as the versions of a template, is part of that resource.
  const isOutermost = !collection.template.includes('{');
  const isNamedByClient =
    isOutermost && isAddressedByName(collection) && taken.some(({ schema }) => hasOwnName(schema));
  return [...returned, ...taken].filter(
    ({ schema }) =>
      !isNotShown(schema) && (hasOwnName(schema) ? isNamedByClient : nestedMetadata(schema) !== undefined),
  );
}

/**
 * Describes why what a collection contains is not a resource. Undefined if it is one.
 * @param {Collection} collection
 * @param {readonly Resource[]} resources
 * @returns {string | undefined}
 */
export function describeNoResource(collection, resources) {
  const known = new Set(resources.map(({ schema }) => follow(schema[0]).value));
  const bodyOf = (/** @type {Collection['operations'][number]['operation']} */ { requestBody, responses }) => [
    ...responses.filter(({ status }) => status.startsWith('2')),
    ...[requestBody ?? []].flat(),
  ];
  const all = bodies(collection, new Set(), ['get', 'list', 'create', 'update'], '', bodyOf);
  if (all.some(({ schema }) => known.has(follow(schema[0]).value))) return undefined;
  if (all.length === 0) return 'no body of its operations has a schema';
  if (all.every(({ schema }) => isNotShown(schema))) return 'its schema is marked x-not-shown';
  if (!isAddressedByName(collection)) return `its items are addressed by the identifier {${collection.parameter}}`;
  if (collection.template.includes('{')) return 'it is within another resource';
  if (!all.some(({ schema }) => hasOwnName(schema))) return 'its schema has neither a name nor metadata with a name';
  return 'no body of a create or update has its name';
}

/**
 * @param {Collection} collection
 * @param {ReadonlySet<unknown>} known
 * @param {readonly Role[]} roles
 * @param {string} verb
 * @param {(operation: Collection['operations'][number]['operation']) => Body | Body[]} pick
 * @returns {Candidate[]}
 */
function bodies({ operations }, known, roles, verb, pick) {
  return operations
    .filter(({ role, operation }) => roles.includes(role) && operation.method !== 'patch')
    .flatMap(({ role, operation }) => {
      const contents = [pick(operation)].flat().flatMap((body) => body.contents);
      const schemas = contents.flatMap(({ schema }) =>
        schema === undefined ? [] : unwrapped(schema, role === 'list', known),
      );
      return schemas.map((schema) => ({ schema, reason: `${operation.name} ${verb} it` }));
    });
}

/**
 * Returns the schemas of the resources in a body: the items of an array, the only array or object in a wrapper, or each alternative.
 * @param {Schema} schema
 * @param {boolean} isList
 * @param {ReadonlySet<unknown>} known
 * @param {number} [depth]
 * @returns {Schema[]}
 */
function unwrapped(schema, isList, known, depth = 0) {
  if (known.has(follow(schema[0]).value)) return [];
  const choices = choicesOf(schema);
  const inner = choices.length > 0 ? choices : within(schema, isList);
  if (inner.length === 0 || depth === MAX_WRAPPERS || nestedMetadata(schema) !== undefined) return [schema];
  return inner.flatMap((each) => unwrapped(each, isList && isOfType(schema, 'object'), known, depth + 1));
}

const MAX_WRAPPERS = 3;

/**
 * @param {Schema} schema
 * @param {boolean} isList
 * @returns {Schema[]}
 */
function within(schema, isList) {
  const items = property(schema, '[]');
  if (items !== undefined) return [items];
  const members = propertyNames(schema).map((name) => property(schema, name));
  const lists = members.filter((member) => isObject(property(member, '[]')));
  const only =
    isList && lists.length === 1 ? lists[0] : members.length === 1 && isObject(members[0]) ? members[0] : undefined;
  return only === undefined ? [] : [only];
}

/** @param {Schema | undefined} schema */
const isObject = (schema) => propertyNames(schema).length > 0;

/**
 * Whether the schema itself has a name that the service does not set.
 * @param {Schema} schema
 */
function hasOwnName(schema) {
  const name = property(schema, 'name');
  return name !== undefined && isOfType(name, 'string') && keyword(name, 'readOnly') !== true;
}

/**
 * @param {Schema} schema
 * @returns {Omit<Resource, 'reason'>}
 */
function resourceAt(schema) {
  const nested = nestedMetadata(schema);
  const isFlat = nested === undefined;
  const [place] = schema;
  const statusName = statusNameOf(schema, isFlat);
  return {
    schema,
    name: place.path.length === 3 && place.path[1] === 'schemas' ? String(place.path[2]) : undefined,
    metadata: isFlat ? schema : nested,
    isFlat,
    statusName,
    status: statusName === undefined ? undefined : property(schema, statusName),
  };
}

/**
 * @param {Schema} schema
 * @returns {Schema | undefined}
 */
function nestedMetadata(schema) {
  const named = property(schema, 'metadata');
  if (named !== undefined && (isObject(named) || isNotShown(named) || hasAll(schema, ['spec']))) return named;
  if (hasOwnName(schema)) return undefined;
  const name = propertyNames(schema).find((each) => isMetadata(each, property(schema, each)));
  return name === undefined ? undefined : property(schema, name);
}

/**
 * Whether a schema has, itself or in its metadata, two fields of metadata, or two statuses of deployments: other APIs have jobs
 * with a name, too.
 * @param {Schema} schema
 */
function hasResourceFields(schema) {
  const metadata = nestedMetadata(schema) ?? schema;
  return (
    metadataFieldCount(metadata) >= 2 ||
    propertyNames(schema).some((name) => sharedStatuses(property(schema, name)) > 1)
  );
}

/** @param {Schema | undefined} schema */
const metadataFieldCount = (schema) => METADATA_FIELDS.filter((each) => property(schema, each) !== undefined).length;

/**
 * @param {string} name
 * @param {Schema | undefined} member
 */
function isMetadata(name, member) {
  if (property(member, 'name') === undefined) return false;
  return /^meta/i.test(name) || metadataFieldCount(member) >= 2;
}

/**
 * Returns the name of the member `status`, or of another one with some of the deployment statuses. In a flat resource, `status` may be
 * something else.
 * @param {Schema} schema
 * @param {boolean} isFlat
 * @returns {string | undefined}
 */
function statusNameOf(schema, isFlat) {
  const status = property(schema, 'status');
  if (status !== undefined && (!isFlat || sharedStatuses(status) > 0)) return 'status';
  return propertyNames(schema).find((each) => sharedStatuses(property(schema, each)) > 1);
}

/**
 * Whether a schema has at least half of the deployment statuses, and not as many others.
 * @param {Place} place
 */
export function hasMostStatuses(place) {
  if (!isMap(place.value) || !['enum', 'oneOf', 'anyOf'].some((name) => name in /** @type {object} */ (place.value)))
    return false;
  const shared = sharedStatuses([place]);
  return shared >= statuses.length / 2 && shared * 2 > (allowedValues([place]) ?? []).length;
}

/** @param {Schema | undefined} schema */
function sharedStatuses(schema) {
  const values = allowedValues(schema) ?? [];
  return values.filter((value) => statuses.includes(String(value).toUpperCase())).length;
}

/**
 * Returns the metadata of all resources, each once, with a resource that has it.
 * @param {readonly Resource[]} resources
 * @returns {{ metadata: Schema, resource: Resource }[]}
 */
export function metadataOf(resources) {
  const found = new Map();
  for (const resource of resources) {
    const { metadata } = resource;
    if (metadata === undefined || isNotShown(metadata)) continue;
    const key = follow(metadata[0]).value;
    if (!found.has(key)) found.set(key, { metadata, resource });
  }
  return [...found.values()];
}

/**
 * Explains in a message why a finding is about a resource.
 * @param {Resource} resource
 * @param {string} message One sentence.
 */
export const withReason = ({ name, reason }, message) => `${message} ${name ?? 'This'} is a resource: ${reason}.`;
