// @ts-check
/** The spec of an agent: defaults, enumerations and limits. */
import { finding } from '../document/place.mjs';
import { descriptionOf, isOfType, keyword, property } from '../document/schema.mjs';
import { generations, limits, triggerTypes } from '../values.mjs';
import { notTheListed } from './enumeration.mjs';
import { takes } from './pattern.mjs';
import { quoted, rule } from './rule.mjs';

/** @typedef {import('../document/schema.mjs').Schema} Schema */
/** @typedef {import('./rule.mjs').Finding} Finding */

const SCHEMAS = ['components', 'schemas'];
const CONFIGURATION = [...SCHEMAS, 'TriggerConfiguration', 'properties'];

/** Of `enabled` and `public` the interface says what they are when left out. */
const DEFAULTS = /** @type {const} */ ([
  [['spec', 'enabled'], true],
  [['spec', 'public'], false],
  [['spec', 'triggers', '[]', 'enabled'], true],
]);

/**
 * What a judge finds at a property of agents: resources whose spec has triggers or a runtime with generation.
 * @param {readonly string[]} names
 * @param {(schema: Schema) => Finding[]} judge
 * @returns {(model: import('./rule.mjs').Model) => Finding[]}
 */
const eachAgent = (names, judge) => (model) => {
  const found = new Map();
  for (const resource of model.resources.filter(isAgent)) {
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
    says: 'The defaults of an agent are written down: enabled true, public false, a trigger enabled.',
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
          return [finding(schema[0], `The default of "${names.join('.')}" is ${value}; the schema does not say so.`)];
        })(model),
      ),
  }),
  rule({
    id: 'generation-values',
    says: 'The generation of a runtime is mk2 or mk3.',
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
    says: 'The type of a trigger is http, http-async or cron.',
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
    says: 'The timeout of a trigger is a whole number of seconds, at most 900.',
    requirements: ['agents.triggers.timeout-at-most-900'],
    example: {
      within: 'agent',
      at: [...CONFIGURATION, 'timeout'],
      good: { type: 'integer', maximum: 900 },
      bad: { maximum: 3600 },
    },
    find: eachAgent(['spec', 'triggers', '[]', 'configuration', 'timeout'], (schema) => {
      if (!isOfType(schema, 'integer')) return [finding(schema[0], 'The timeout of a trigger is no integer.')];
      const most = keyword(schema, 'maximum');
      if (most === limits.triggerTimeoutSeconds) return [];
      return [finding(schema[0], `The timeout of a trigger is at most 900 seconds; the schema says ${quoted(most)}.`)];
    }),
  }),
  rule({
    id: 'trigger-schedule',
    says: 'The schedule of a trigger is a cron expression of five fields, which pattern or description say.',
    requirements: ['agents.triggers.schedule-five-fields'],
    example: {
      within: 'agent',
      at: [...CONFIGURATION, 'schedule'],
      good: { description: 'Cron expression with five fields.' },
      bad: { description: 'When to call.' },
    },
    find: eachAgent(['spec', 'triggers', '[]', 'configuration', 'schedule'], (schema) => {
      if (takes(schema, '0 9 * * 1') !== true)
        return [finding(schema[0], 'The pattern of a schedule refuses "0 9 * * 1".')];
      const said = /\b(five|5)\b/i.test(descriptionOf(schema));
      if (said || takes(schema, '0 0 9 * * 1') === false) return [];
      return [finding(schema[0], 'Neither pattern nor description say that a schedule has five fields.')];
    }),
  }),
  rule({
    id: 'callback-secret',
    says: "The callbackSecret of a trigger is the service's own: it is marked readOnly.",
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
        : [finding(schema[0], 'The callbackSecret is set by the service, and not marked readOnly.')],
    ),
  }),
  rule({
    id: 'mount-path',
    says: 'The mountPath of a volume is absolute, which pattern or description say.',
    requirements: ['agents.volumes.mount-path-absolute'],
    example: {
      within: 'agent',
      at: [...SCHEMAS, 'VolumeAttachment', 'properties', 'mountPath'],
      good: { description: 'Absolute filesystem path of the mount.' },
      bad: { description: 'Where the volume is mounted.' },
    },
    find: eachAgent(['spec', 'volumes', '[]', 'mountPath'], (schema) => {
      if (takes(schema, '/data') !== true) return [finding(schema[0], 'The pattern of a mountPath refuses "/data".')];
      const said = /\babsolute\b/i.test(descriptionOf(schema));
      if (said || takes(schema, 'data') === false) return [];
      return [finding(schema[0], 'Neither pattern nor description say that a mountPath is absolute.')];
    }),
  }),
];
