// @ts-check
/** Rules for values of the billing metrics: defaults and caps of parameters, and optional fields of the response. */
import { accepts, rejectingKeyword } from '../document/accepts.mjs';
import { below, finding, follow } from '../document/place.mjs';
import { isOfType, isRequired, keyword, property } from '../document/schema.mjs';
import { groupByDimensions, limitsAt, resolutions, windowCaps } from '../values.mjs';
import { rejectedBy, smallest } from './bounds.mjs';
import { notTheListed } from './enumeration.mjs';
import { eachQuery, metricsOf, schemaOf, wordsAbout } from './metrics-operation.mjs';
import { listed, quoted, rule, wrongLimit } from './rule.mjs';

/** @typedef {import('../document/model.mjs').Operation} Operation */
/** @typedef {import('../document/model.mjs').Parameter} Parameter */
/** @typedef {import('../document/schema.mjs').Schema} Schema */

const PARAMETERS = ['components', 'parameters'];
const SCHEMAS = ['components', 'schemas'];

/**
 * Accepts 1 to 3 dimensions as a comma-separated string or as an array serialized that way.
 * @param {Parameter} parameter
 * @returns {string | undefined}
 */
function badGroupBy(parameter) {
  const schema = schemaOf(parameter);
  if (isOfType(schema, 'array')) return badDimensionArray(parameter, schema);
  if (!isOfType(schema, 'string')) return 'groupBy must be a string or an array.';
  const lists = [...groupByDimensions, 'workspace,resource_type,billing_dimension'];
  const refused = lists.find((list) => accepts(schema, list) !== true);
  if (refused !== undefined) return `The schema of groupBy must accept "${refused}"${rejectedBy(schema, refused)}.`;
  const accepted = ['label', 'unit', groupByDimensions.slice(0, 4).join(',')].find(
    (list) => accepts(schema, list) !== false,
  );
  return accepted === undefined ? undefined : `The schema of groupBy must not accept "${accepted}".`;
}

/**
 * @param {Parameter} parameter
 * @param {Schema} schema
 */
function badDimensionArray({ place }, schema) {
  if (below(place, 'explode')?.value !== false) return 'groupBy is comma-separated, so explode must be false.';
  const maxItems = smallest(schema, 'maxItems');
  if (maxItems !== limitsAt(schema[0]).groupByDimensions)
    return wrongLimit('The maxItems of groupBy', limitsAt(schema[0]).groupByDimensions, maxItems);
  if (keyword(schema, 'uniqueItems') !== true) return 'The uniqueItems of groupBy must be true.';
  const items = property(schema, '[]');
  return items === undefined
    ? 'The items of groupBy must have a schema.'
    : notTheListed(items, groupByDimensions, 'groupBy')[0]?.message;
}

/** The usage fields of a metrics response, each with the path of the schema that must not require it. */
const USAGES = /** @type {const} */ ([
  [['summary'], 'totalUsage'],
  [['data', '[]', 'summary'], 'usage'],
  [['data', '[]', 'timeseries', '[]'], 'usage'],
]);

/**
 * @param {Operation} operation
 * @returns {Schema[]}
 */
const successes = ({ responses }) =>
  responses
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ contents }) => contents.flatMap(({ schema }) => (schema === undefined ? [] : [schema])));

export const metricsValuesRules = [
  rule({
    id: 'metrics-resolution',
    description:
      'A resolution is hourly, daily, weekly or monthly and has no default, because the service picks one by the window.',
    requirements: ['metrics.resolution.unknown-refused', 'metrics.resolution.picked-by-window'],
    example: {
      within: 'metrics',
      at: [...SCHEMAS, 'Resolution'],
      good: { enum: resolutions },
      bad: { enum: ['hourly', 'daily', 'monthly'] },
    },
    find: eachQuery('resolution', (parameter) => {
      const schema = schemaOf(parameter);
      const fixed = keyword(schema, 'default');
      if (fixed === undefined) return notTheListed(schema, resolutions, 'the resolution');
      return [
        finding(
          schema[0],
          `The resolution must not have a default (${quoted(fixed)}): it is picked by the length of the window.`,
        ),
      ];
    }),
  }),
  rule({
    id: 'metrics-window-caps',
    description: 'The descriptions state the longest windows: 7 days for hourly, 90 days for daily, 1 year for weekly.',
    requirements: ['metrics.resolution.hourly-cap', 'metrics.resolution.daily-cap', 'metrics.resolution.weekly-cap'],
    example: {
      within: 'metrics',
      at: [...SCHEMAS, 'Resolution'],
      good: { description: 'Windows are capped: `hourly` at 7 days, `daily` at 90 days, `weekly` at 1 year.' },
      bad: { description: 'Windows are capped: `hourly` at 7 days, `daily` at 30 days, `weekly` at 1 year.' },
    },
    find: eachQuery('resolution', (parameter, operation) => {
      const words = wordsAbout(parameter, operation);
      const undescribed = Object.entries(windowCaps).filter(([, form]) => !form.test(words));
      if (undescribed.length === 0) return [];
      const message = `The descriptions must state the longest window of ${listed(undescribed.map(([name]) => name))}.`;
      return [finding(schemaOf(parameter)[0], message)];
    }),
  }),
  rule({
    id: 'metrics-group-by',
    description: 'The parameter groupBy accepts 1 to 3 of the five dimensions, separated by commas, and nothing else.',
    requirements: [
      'metrics.group-by.every-set-accepted',
      'metrics.group-by.at-most-three',
      'metrics.group-by.unknown-refused',
    ],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'groupBy', 'schema'],
      good: {
        pattern: `^(${groupByDimensions.join('|')})(,(${groupByDimensions.join('|')})){0,2}$`,
      },
      bad: { pattern: '^[a-z_]+(,[a-z_]+)*$' },
    },
    find: eachQuery('groupBy', (parameter) => {
      const message = badGroupBy(parameter);
      return message === undefined ? [] : [finding(schemaOf(parameter)[0], message)];
    }),
  }),
  rule({
    id: 'metrics-group-by-duplicates',
    description: 'The descriptions state that groupBy must not contain duplicates.',
    requirements: ['metrics.group-by.no-duplicates'],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'groupBy'],
      good: { description: 'Up to 3 dimensions; no duplicates. `workspace` is for account admins only.' },
      bad: { description: 'Up to 3 dimensions. `workspace` is for account admins only.' },
    },
    find: eachQuery('groupBy', (parameter, operation) => {
      const isStated = /duplicate|twice|distinct|unique|different|repeat/i.test(wordsAbout(parameter, operation));
      if (isStated || keyword(parameter.schema, 'uniqueItems') === true) return [];
      return [finding(parameter.place, 'The descriptions must state that groupBy must not contain duplicates.')];
    }),
  }),
  rule({
    id: 'metrics-limit',
    description:
      'The limit is an integer with the default 100 and without a maximum, because larger values are clamped.',
    requirements: [
      'metrics.pagination.limit-is-a-count',
      'metrics.pagination.limit-clamped',
      'metrics.pagination.page-within-limit',
    ],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'limit', 'schema'],
      good: { type: 'integer', default: 100 },
      bad: { maximum: 100 },
    },
    find: eachQuery('limit', (parameter) => {
      const schema = schemaOf(parameter);
      if (!isOfType(schema, 'integer')) return [finding(schema[0], 'The limit must be an integer.')];
      const fixed = keyword(schema, 'default');
      if (fixed !== limitsAt(schema[0]).metricsPage)
        return [finding(schema[0], wrongLimit('The default of the limit', limitsAt(schema[0]).metricsPage, fixed))];
      const refused = [101, 100_000].find((size) => accepts(schema, size) === false);
      if (refused === undefined) return [];
      const { name = 'maximum' } = rejectingKeyword(schema, refused) ?? {};
      const message =
        name === 'maximum'
          ? 'The limit must not have a maximum: larger values are clamped to 100, not rejected.'
          : `The limit must accept ${refused}, which is clamped to 100; ${name} rejects it.`;
      return [finding(schema[0], message)];
    }),
  }),
  rule({
    id: 'metrics-limit-clamped',
    description: 'The descriptions state that a limit above 100 is clamped.',
    requirements: ['metrics.pagination.limit-clamped'],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'limit'],
      good: { description: 'Page size; values above 100 are clamped silently.' },
      bad: { description: 'Page size.' },
    },
    find: eachQuery('limit', (parameter, operation) =>
      /clamp|(act|count|treat|read|tak)\w*( \w+){0,3} (as|for|like) 100|(cut|lowered|reduced|capped) (down )?(to|at) 100/i.test(
        wordsAbout(parameter, operation),
      )
        ? []
        : [finding(parameter.place, 'The descriptions must state that a limit above 100 is clamped.')],
    ),
  }),
  rule({
    id: 'metrics-usage',
    description:
      'Usage is optional everywhere in the response: it is present only if groupBy includes billing_dimension.',
    requirements: ['metrics.usage.absent-otherwise', 'metrics.usage.with-billing-dimension'],
    example: {
      within: 'metrics',
      at: [...SCHEMAS, 'Point'],
      good: { required: ['timestamp', 'cost'] },
      bad: { required: ['timestamp', 'cost', 'usage'] },
    },
    find: (model) =>
      metricsOf(model)
        .flatMap(successes)
        .flatMap((response) =>
          USAGES.flatMap(([names, usage]) => {
            const holder = property(response, ...names);
            if (holder === undefined || !isRequired(holder, usage)) return [];
            return [
              finding(
                follow(holder[0]),
                `"${[...names, usage].join('.')}" must be optional: it is present only if groupBy includes billing_dimension.`,
              ),
            ];
          }),
        ),
  }),
];
