// @ts-check
/** Rules for names, display names and labels of resources. */
import { accepts, rejectingKeyword } from '../document/accepts.mjs';
import { finding } from '../document/place.mjs';
import { metadataOf, withReason } from '../document/resources.mjs';
import { descriptionsOf, isOfType, isRequired, property } from '../document/schema.mjs';
import { limitsAt } from '../values.mjs';
import { wrongLength } from './bounds.mjs';
import { keywordAllowingNonStrings, takesStrings } from './label-values.mjs';
import { rule } from './rule.mjs';

const PATTERN = '^[a-z0-9-]+$';
const METADATA = ['components', 'schemas', 'Metadata'];
const NAME = [...METADATA, 'properties', 'name'];

/** Short, so that no pattern takes long to match. */
const ALLOWED_NAMES = ['a', 'agent', 'my-agent-2'];
const FORBIDDEN_NAMES = ['', 'Agent', 'my_agent', 'my.agent', 'my agent', 'my/agent', 'agënt'];

/**
 * Checks the metadata property of this name in every metadata schema.
 * @param {string} name
 * @param {(schema: import('../document/schema.mjs').Schema) => string | undefined} judge
 * @returns {(model: import('./rule.mjs').Model) => import('./rule.mjs').Finding[]}
 */
const eachMetadata = (name, judge) => (model) =>
  metadataOf(model.resources).flatMap(({ metadata, resource }) => {
    const schema = property(metadata, name);
    const message = schema && judge(schema);
    return schema === undefined || message === undefined ? [] : [finding(schema[0], withReason(resource, message))];
  });

/**
 * @param {import('../document/schema.mjs').Schema} schema
 * @param {RegExp} wording
 */
const says = (schema, wording) => wording.test(descriptionsOf(schema));

/**
 * @param {import('../document/schema.mjs').Schema} schema
 * @param {string} name
 */
function mustAccept(schema, name) {
  const { name: found = 'pattern' } = rejectingKeyword(schema, name) ?? {};
  const wanted = `The schema of a name must accept "${name}"`;
  return found === 'pattern' ? `${wanted}. Use the pattern ${PATTERN}.` : `${wanted}; ${found} rejects it.`;
}

const DISPLAY_NAME = 'Mo’s agent (2nd) – ü!';

/**
 * Describes why a schema rejects a displayName: because of its length, or of its characters.
 * @param {import('../document/schema.mjs').Schema} schema
 */
function rejectedDisplayName(schema) {
  const isTooLong = accepts(schema, 'a'.repeat(DISPLAY_NAME.length)) === false;
  const length = isTooLong ? wrongLength(schema, 'a displayName', limitsAt(schema[0]).displayNameLength) : undefined;
  const { name: found = 'pattern' } = rejectingKeyword(schema, DISPLAY_NAME) ?? {};
  return (
    length ??
    `The ${found} of a displayName must accept ${found === 'pattern' ? 'spaces and special characters' : `"${DISPLAY_NAME}"`}.`
  );
}

export const namesRules = [
  rule({
    id: 'name-required',
    description: 'The metadata of a resource has a required name.',
    requirements: ['naming.name.required'],
    example: { within: 'resource', at: METADATA, good: { required: ['name'] }, bad: { required: null } },
    find: ({ resources }) =>
      metadataOf(resources).flatMap(({ metadata, resource }) => {
        const what = resource.isFlat ? 'The resource' : 'The metadata';
        const report = (/** @type {string} */ verb) =>
          finding(metadata[0], withReason(resource, `${what} must ${verb} a name.`));
        if (property(metadata, 'name') === undefined) return [report('have')];
        return isRequired(metadata, 'name') ? [] : [report('require')];
      }),
  }),
  rule({
    id: 'name-length',
    description: 'A name is a string of at most 49 characters.',
    requirements: ['naming.name.at-most-49'],
    example: { within: 'resource', at: NAME, good: { maxLength: 49 }, bad: { maxLength: 63 } },
    find: eachMetadata('name', (schema) => {
      if (!isOfType(schema, 'string')) return 'The name must be a string.';
      return wrongLength(schema, 'a name', limitsAt(schema[0]).nameLength);
    }),
  }),
  rule({
    id: 'name-pattern',
    description:
      'The pattern of a name accepts lowercase letters, digits and hyphens, and rejects everything else, including an empty name.',
    requirements: ['naming.name.other-characters-rejected', 'naming.name.valid-accepted', 'naming.name.required'],
    example: {
      within: 'resource',
      at: NAME,
      good: { pattern: PATTERN },
      bad: { pattern: '^[a-zA-Z0-9-]+$' },
    },
    find: eachMetadata('name', (schema) => {
      // Of another type, name-length says so.
      if (!isOfType(schema, 'string')) return undefined;
      const isAccepted = (/** @type {string} */ name) => accepts(schema, name);
      if (isAccepted('agent') === undefined) return 'The pattern of a name is not a valid regular expression.';
      const refused = ALLOWED_NAMES.find((name) => isAccepted(name) !== true);
      if (refused !== undefined) return mustAccept(schema, refused);
      const accepted = FORBIDDEN_NAMES.find(isAccepted);
      return accepted === undefined
        ? undefined
        : `The schema of a name must not accept "${accepted}". Use the pattern ${PATTERN}.`;
    }),
  }),
  rule({
    id: 'name-immutable',
    description: 'The description of a name says that it is immutable.',
    requirements: ['naming.name.immutable'],
    example: {
      within: 'resource',
      at: NAME,
      good: { description: 'Unique within the workspace. Immutable after creation.' },
      bad: { description: 'Unique within the workspace.' },
    },
    find: eachMetadata('name', (schema) =>
      says(schema, /immutable|unchangeable|(cannot|can't|can not|never|not) (be )?(change|rename|modif|edit|update)/i)
        ? undefined
        : 'The description of a name must say that it is immutable.',
    ),
  }),
  rule({
    id: 'name-unique',
    description: 'The description of a name says that it is unique within the workspace.',
    requirements: ['naming.name.unique-in-workspace'],
    example: {
      within: 'resource',
      at: NAME,
      good: { description: 'Unique within the workspace. Immutable after creation.' },
      bad: { description: 'Immutable after creation.' },
    },
    find: eachMetadata('name', (schema) =>
      says(schema, /unique/i)
        ? undefined
        : 'The description of a name must say that it is unique within the workspace.',
    ),
  }),
  rule({
    id: 'display-name',
    description: 'A displayName is a string of at most 63 characters, including spaces and special characters.',
    requirements: ['naming.display-name.up-to-63-accepted', 'naming.display-name.over-63-rejected'],
    example: {
      within: 'resource',
      at: [...METADATA, 'properties', 'displayName'],
      good: { maxLength: 63 },
      bad: { maxLength: null },
    },
    find: eachMetadata('displayName', (schema) => {
      if (!isOfType(schema, 'string')) return 'The displayName must be a string.';
      if (accepts(schema, DISPLAY_NAME) !== true) return rejectedDisplayName(schema);
      return wrongLength(schema, 'a displayName', limitsAt(schema[0]).displayNameLength);
    }),
  }),
  rule({
    id: 'labels',
    description: 'Labels are an object whose values are strings.',
    requirements: ['naming.labels.string-values'],
    example: {
      within: 'resource',
      at: [...METADATA, 'properties', 'labels'],
      good: { additionalProperties: { type: 'string' } },
      bad: { additionalProperties: { type: 'integer' } },
    },
    find: eachMetadata('labels', (schema) => {
      if (!isOfType(schema, 'object')) return 'Labels must be an object.';
      if (!takesStrings(schema)) return 'The values of labels (additionalProperties) must be strings.';
      const other = keywordAllowingNonStrings(schema);
      return other && `The values of labels must be strings; ${other} allows others.`;
    }),
  }),
];
