// @ts-check
/** The spec of an agent: defaults, enumerations and limits. */
import { accepts } from '../document/accepts.mjs';
import { finding } from '../document/place.mjs';
import { descriptionsOf, keyword, property } from '../document/schema.mjs';
import { generations, limitsAt, triggerTypes } from '../values.mjs';
import { describeRejected, wrongMaximum } from './bounds.mjs';
import { notTheListed } from './enumeration.mjs';
import { quoted, rule } from './rule.mjs';

/** @typedef {import('../document/schema.mjs').Schema} Schema */
/** @typedef {import('./rule.mjs').Finding} Finding */

const SCHEMAS = ['components', 'schemas'];
const CONFIGURATION = [...SCHEMAS, 'TriggerConfiguration', 'properties'];

/** The documented defaults. */
const DEFAULTS = /** @type {const} */ ([
  [['spec', 'enabled'], true],
  [['spec', 'public'], false],
  [['spec', 'triggers', '[]', 'enabled'], true],
]);

/**
 * Checks a property of every agent, which is a resource whose spec has triggers or a runtime with a generation.
 * @param {readonly string[]} names
 * @param {(schema: Schema) => Finding[]} judge
 * @returns {(model: import('./rule.mjs').Model) => Finding[]}
 */
const eachAgent = (names, judge) => (model) => {
  const found = new Map();
  for (const { schema: resource } of model.resources.filter(({ schema }) => isAgent(schema))) {
    const schema = property(resource, ...names);
    if (schema !== undefined) found.set(schema.at(-1)?.value, schema);
  }
  return [...found.values()].flatMap(judge);
};

/** @param {Schema} resource */
function isAgent(resource) {
  const marks = [['triggers'], ['runtime', 'generation']];
  return marks.some((names) => property(resource, 'spec', ...names) !== undefined);
}

export const agentsRules = [
  rule({
    id: 'agent-defaults',
    description: 'An agent declares its defaults: enabled true, public false, and enabled true for a trigger.',
    requirements: ['agents.update.defaults'],
    example: {
      within: 'agent',
      at: [...SCHEMAS, 'AgentSpec', 'properties', 'public'],
      good: { default: false },
      bad: { default: null },
    },
    find: (model) =>
      DEFAULTS.flatMap(([names, value]) =>
        eachAgent(names, (schema) => {
          if (keyword(schema, 'default') === value) return [];
          const declared = keyword(schema, 'default');
          const found = declared === undefined ? '' : `, not ${quoted(declared)}`;
          return [finding(schema[0], `"${names.join('.')}" must declare the default ${value}${found}.`)];
        })(model),
      ),
  }),
  rule({
    id: 'generation-values',
    description: 'The generation of a runtime is mk2 or mk3.',
    requirements: ['agents.runtime.generation-known'],
    example: {
      within: 'agent',
      at: [...SCHEMAS, 'AgentRuntime', 'properties', 'generation'],
      good: { enum: generations },
      bad: { enum: null },
    },
    find: eachAgent(['spec', 'runtime', 'generation'], (schema) => notTheListed(schema, generations, 'the generation')),
  }),
  rule({
    id: 'trigger-types',
    description: 'The type of a trigger is http, http-async or cron.',
    requirements: ['agents.triggers.type-known'],
    example: {
      within: 'agent',
      at: [...SCHEMAS, 'Trigger', 'properties', 'type'],
      good: { enum: triggerTypes },
      bad: { enum: ['http', 'cron'] },
    },
    find: eachAgent(['spec', 'triggers', '[]', 'type'], (schema) =>
      notTheListed(schema, triggerTypes, 'the type of a trigger'),
    ),
  }),
  rule({
    id: 'trigger-timeout',
    description: 'The timeout of a trigger is a whole number of seconds, at most 900.',
    requirements: ['agents.triggers.timeout-at-most-900'],
    example: {
      within: 'agent',
      at: [...CONFIGURATION, 'timeout'],
      good: { type: 'integer', maximum: 900 },
      bad: { maximum: 3600 },
    },
    find: eachAgent(['spec', 'triggers', '[]', 'configuration', 'timeout'], (schema) => {
      if ([1.5, 'text'].some((value) => accepts(schema, value) !== false))
        return [finding(schema[0], 'The timeout of a trigger must be an integer.')];
      const message = wrongMaximum(schema, 'a trigger timeout', limitsAt(schema[0]).triggerTimeoutSeconds, 'seconds');
      return message === undefined ? [] : [finding(schema[0], message)];
    }),
  }),
  rule({
    id: 'trigger-schedule',
    description:
      'The schedule of a trigger is a cron expression with five fields, according to its pattern or description.',
    requirements: ['agents.triggers.schedule-five-fields'],
    example: {
      within: 'agent',
      at: [...CONFIGURATION, 'schedule'],
      good: { description: 'Cron expression with five fields.' },
      bad: { description: 'When to call.' },
    },
    find: eachAgent(['spec', 'triggers', '[]', 'configuration', 'schedule'], (schema) => {
      if (accepts(schema, '0 9 * * 1') !== true)
        return [finding(schema[0], describeRejected(schema, 'a schedule', '0 9 * * 1'))];
      const isStated = /\b(five|5)\b/i.test(descriptionsOf(schema));
      if (isStated || accepts(schema, '0 0 9 * * 1') === false) return [];
      return [finding(schema[0], 'The pattern or description of a schedule must require five fields.')];
    }),
  }),
  rule({
    id: 'callback-secret',
    description: 'The callbackSecret of a trigger is set by the service, and therefore readOnly.',
    requirements: ['agents.triggers.callback-secret-is-the-servers'],
    example: {
      within: 'agent',
      at: [...CONFIGURATION, 'callbackSecret'],
      good: { readOnly: true },
      bad: { readOnly: false },
    },
    find: eachAgent(['spec', 'triggers', '[]', 'configuration', 'callbackSecret'], (schema) =>
      keyword(schema, 'readOnly') === true
        ? []
        : [finding(schema[0], 'The callbackSecret is set by the service and must be readOnly.')],
    ),
  }),
  rule({
    id: 'mount-path',
    description: 'The mountPath of a volume is absolute, according to its pattern or description.',
    requirements: ['agents.volumes.mount-path-absolute'],
    example: {
      within: 'agent',
      at: [...SCHEMAS, 'VolumeAttachment', 'properties', 'mountPath'],
      good: { description: 'Absolute filesystem path of the mount.' },
      bad: { description: 'Where the volume is mounted.' },
    },
    find: eachAgent(['spec', 'volumes', '[]', 'mountPath'], (schema) => {
      if (accepts(schema, '/data') !== true)
        return [finding(schema[0], describeRejected(schema, 'a mountPath', '/data'))];
      const isStated = /\babsolute\b/i.test(descriptionsOf(schema));
      if (isStated || accepts(schema, 'data') === false) return [];
      return [finding(schema[0], 'The pattern or description of a mountPath must require an absolute path.')];
    }),
  }),
];
