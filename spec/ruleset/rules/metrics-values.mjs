// @ts-check
/** Values of the billing metrics: defaults and caps of what is asked, and figures of the answer that are not always there. */
import { below, finding, follow } from '../document/place.mjs';
import { allowedValues, isOfType, isRequired, keyword, property } from '../document/schema.mjs';
import { groupByDimensions, limits, resolutions, windowCaps } from '../values.mjs';
import { notTheListed } from './enumeration.mjs';
import { eachQuery, metricsOf, schemaOf, wordsAbout } from './metrics-operation.mjs';
import { takes } from './pattern.mjs';
import { listed, quoted, rule } from './rule.mjs';

/** @typedef {import('../document/model.mjs').Operation} Operation */
/** @typedef {import('../document/model.mjs').Parameter} Parameter */
/** @typedef {import('../document/schema.mjs').Schema} Schema */

const PARAMETERS = ['components', 'parameters'];
const SCHEMAS = ['components', 'schemas'];

/**
 * Lists of 1 to 3 dimensions as a string with commas, or as an array that is sent so.
 * @param {Parameter} parameter
 * @returns {string | undefined}
 */
function badGroupBy(parameter) {
  const schema = schemaOf(parameter);
  if (isOfType(schema, 'array')) return badDimensionArray(parameter, schema);
  if (!isOfType(schema, 'string')) return 'groupBy is neither a string nor an array.';
  const lists = [...groupByDimensions, 'workspace,resource_type,billing_dimension'];
  const refused = lists.find((list) => takes(schema, list) !== true || allowedValues(schema)?.includes(list) === false);
  if (refused !== undefined) return `The schema of groupBy refuses "${refused}".`;
  const accepted = ['label', 'unit', groupByDimensions.slice(0, 4).join(',')].find(
    (list) => takes(schema, list) !== false,
  );
  return accepted === undefined || allowedValues(schema) !== undefined
    ? undefined
    : `The schema of groupBy accepts "${accepted}".`;
}

/**
 * @param {Parameter} parameter
 * @param {Schema} schema
 */
function badDimensionArray({ place }, schema) {
  if (below(place, 'explode')?.value !== false) return 'groupBy is one value with commas, but explode is not false.';
  if (keyword(schema, 'maxItems') !== limits.groupByDimensions)
    return 'groupBy has at most 3 dimensions, but maxItems is not 3.';
  if (keyword(schema, 'uniqueItems') !== true) return 'groupBy has no dimension twice, but uniqueItems is not true.';
  const items = property(schema, '[]');
  return items === undefined
    ? 'The items of groupBy have no schema.'
    : notTheListed(items, groupByDimensions, 'groupBy')[0]?.message;
}

/** Usage figures of a metrics answer, each with the schema that must not require it. */
const USAGES = /** @type {const} */ ([
  [['summary'], 'totalUsage'],
  [['data', '[]', 'summary'], 'usage'],
  [['data', '[]', 'timeseries', '[]'], 'usage'],
]);

/**
 * @param {Operation} operation
 * @returns {Schema[]}
 */
const successes = ({ answers }) =>
  answers
    .filter(({ status }) => status.startsWith('2'))
    .flatMap(({ contents }) => contents.flatMap(({ schema }) => (schema === undefined ? [] : [schema])));

export const metricsValuesRules = [
  rule({
    id: 'metrics-resolution',
    says: 'A resolution is hourly, daily, weekly or monthly, and has no default: the service picks one by the window.',
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
        finding(schema[0], `The resolution has the default ${quoted(fixed)}, but is picked by the window's length.`),
      ];
    }),
  }),
  rule({
    id: 'metrics-window-caps',
    says: 'The longest windows are written down: hourly 7 days, daily 90 days, weekly 1 year.',
    requirements: ['metrics.resolution.hourly-cap', 'metrics.resolution.daily-cap', 'metrics.resolution.weekly-cap'],
    example: {
      within: 'metrics',
      at: [...SCHEMAS, 'Resolution'],
      good: { description: 'Windows are capped: `hourly` at 7 days, `daily` at 90 days, `weekly` at 1 year.' },
      bad: { description: 'Windows are capped: `hourly` at 7 days, `daily` at 30 days, `weekly` at 1 year.' },
    },
    find: eachQuery('resolution', (parameter, operation) => {
      const words = wordsAbout(parameter, operation);
      const unsaid = Object.entries(windowCaps).filter(([, form]) => !form.test(words));
      if (unsaid.length === 0) return [];
      const message = `The descriptions do not say the longest window of ${listed(unsaid.map(([name]) => name))}.`;
      return [finding(schemaOf(parameter)[0], message)];
    }),
  }),
  rule({
    id: 'metrics-group-by',
    says: 'The parameter groupBy takes 1 to 3 of the five dimensions, separated by commas, and nothing else.',
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
    says: 'The descriptions say that a dimension may not be named twice in groupBy.',
    requirements: ['metrics.group-by.no-duplicates'],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'groupBy'],
      good: { description: 'Up to 3 dimensions; no duplicates. `workspace` is for account admins only.' },
      bad: { description: 'Up to 3 dimensions. `workspace` is for account admins only.' },
    },
    find: eachQuery('groupBy', (parameter, operation) => {
      const said = /duplicate|twice|distinct|unique|different|repeat/i.test(wordsAbout(parameter, operation));
      if (said || keyword(parameter.schema, 'uniqueItems') === true) return [];
      return [finding(parameter.place, 'Nothing says that a dimension may not be named twice in groupBy.')];
    }),
  }),
  rule({
    id: 'metrics-limit',
    says: 'The limit is an integer with the default 100 and without a maximum: larger values are clamped, not refused.',
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
      if (!isOfType(schema, 'integer')) return [finding(schema[0], 'The limit is no integer.')];
      if (keyword(schema, 'default') !== limits.metricsPage)
        return [finding(schema[0], 'The schema does not say that the default of the limit is 100.')];
      const most = keyword(schema, 'maximum') ?? keyword(schema, 'exclusiveMaximum');
      if (most === undefined) return [];
      return [finding(schema[0], 'The limit has a maximum, by which a larger value is refused; it is clamped to 100.')];
    }),
  }),
  rule({
    id: 'metrics-limit-clamped',
    says: 'The descriptions say that a limit above 100 is clamped.',
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
        : [finding(parameter.place, 'Nothing says that a limit above 100 is clamped.')],
    ),
  }),
  rule({
    id: 'metrics-usage',
    says: 'Usage is not required anywhere in the answer: it is there only with billing_dimension in groupBy.',
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
        .flatMap((answer) =>
          USAGES.flatMap(([names, usage]) => {
            const holder = property(answer, ...names);
            if (holder === undefined || !isRequired(holder, usage)) return [];
            return [
              finding(
                follow(holder[0]),
                `"${[...names, usage].join('.')}" is required, but there only with billing_dimension in groupBy.`,
              ),
            ];
          }),
        ),
  }),
];
