// @ts-check
/** Rules for the query parameters of the billing metrics and the role that they require. */
import { accepts } from '../document/accepts.mjs';
import { below, finding } from '../document/place.mjs';
import { allowedValues, isOfType, keyword } from '../document/schema.mjs';
import { billingDimensions } from '../values.mjs';
import { notTheListed } from './enumeration.mjs';
import { eachQuery, metricsOf, query, schemaOf, wordsAbout } from './metrics-operation.mjs';
import { listed, rule } from './rule.mjs';

/** @typedef {import('./rule.mjs').Model} Model */

const PARAMETERS = ['components', 'parameters'];
const OPTIONAL = [
  'resolution',
  'groupBy',
  'workspace',
  'resourceType',
  'resourceName',
  'resourceUuid',
  'billingDimension',
  'limit',
  'cursor',
];

/** @param {Model} model */
const windowed = (model) => [
  ...metricsOf(model),
  ...model.operations.filter(({ path }) => path === '/accounts/{}/metrics/enums/resource-types'),
];

/**
 * Whether a schema is of timestamps, by its format or its pattern.
 * @param {import('../document/schema.mjs').Schema | undefined} schema
 */
const isTimestamp = (schema) =>
  isOfType(schema, 'string') &&
  (keyword(schema, 'format') === 'date-time' ||
    (accepts(schema, '2026-10-01T00:00:00Z') === true && accepts(schema, '2026-10-01') === false));

export const metricsParametersRules = [
  rule({
    id: 'metrics-window',
    description: 'The metrics require a window: the RFC 3339 timestamps startTime and endTime in the query.',
    requirements: [
      'metrics.parameters.window-required',
      'metrics.parameters.timestamps-rfc3339',
      'metrics.enums.resource-types-window-required',
    ],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'startTime'],
      good: { required: true, schema: { type: 'string', format: 'date-time' } },
      bad: { required: null },
    },
    find: (model) =>
      windowed(model).flatMap((operation) =>
        ['startTime', 'endTime'].flatMap((name) => {
          const parameter = query(operation, name);
          if (parameter === undefined)
            return [finding(operation.place, `${operation.name} must have the query parameter ${name}.`)];
          if (!parameter.required) return [finding(parameter.place, `${name} must be required.`)];
          return isTimestamp(parameter.schema)
            ? []
            : [finding(schemaOf(parameter)[0], `${name} must be a string of format date-time.`)];
        }),
      ),
  }),
  rule({
    id: 'metrics-optional',
    description: 'All other query parameters of the metrics are optional.',
    requirements: ['metrics.group-by.absent-one-entry', 'metrics.resolution.picked-by-window'],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'resolution'],
      good: { required: false },
      bad: { required: true },
    },
    find: (model) =>
      OPTIONAL.flatMap((name) =>
        eachQuery(name, ({ required, place }) => (required ? [finding(place, `${name} must be optional.`)] : []))(
          model,
        ),
      ),
  }),
  rule({
    id: 'metrics-filters',
    description: 'Filters are arbitrary strings, except that a billing dimension is one of the twelve.',
    requirements: ['metrics.filters.billing-dimension-known', 'metrics.filters.filter-is-the-slice'],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'resourceType', 'schema'],
      good: { type: 'string' },
      bad: { enum: ['sandbox', 'agent'] },
    },
    find: (model) => [
      ...eachQuery('billingDimension', (parameter) =>
        notTheListed(schemaOf(parameter), billingDimensions, 'billingDimension'),
      )(model),
      ...['workspace', 'resourceType', 'resourceName', 'resourceUuid', 'cursor'].flatMap((name) =>
        eachQuery(name, (parameter) => {
          const schema = schemaOf(parameter);
          const values = allowedValues(schema);
          if (isOfType(schema, 'string') && values === undefined) return [];
          const only = values === undefined ? '' : `, not only ${listed(values)}`;
          return [finding(schema[0], `${name} must accept any string${only}.`)];
        })(model),
      ),
    ],
  }),
  rule({
    id: 'metrics-unsupported',
    description: 'The metrics do not have the unsupported parameters label and unit.',
    requirements: ['metrics.parameters.label-and-unit-unsupported'],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'cursor'],
      good: { name: 'cursor' },
      bad: { name: 'label' },
    },
    find: (model) =>
      ['label', 'unit'].flatMap((name) =>
        eachQuery(name, ({ place }) => [finding(place, `The metrics do not support "${name}".`)])(model),
      ),
  }),
  rule({
    id: 'metrics-account-admin',
    description:
      'The descriptions of workspace and groupBy mention the account-admin role, and the 403 response is declared.',
    requirements: ['metrics.roles.workspace-filter-admin-only', 'metrics.roles.group-by-workspace-admin-only'],
    example: {
      within: 'metrics',
      at: ['paths', '/accounts/{accountId}/metrics', 'get', 'responses'],
      good: { 403: { $ref: '#/components/responses/AccessDenied' } },
      bad: { 403: null },
    },
    find: (model) => {
      const undescribed = ['workspace', 'groupBy'].flatMap((name) =>
        eachQuery(name, (parameter, operation) =>
          /account[ -]?admin/i.test(wordsAbout(parameter, operation))
            ? []
            : [finding(parameter.place, `The description of ${name} must mention the account-admin role.`)],
        )(model),
      );
      const without403 = metricsOf(model).filter(
        ({ responses }) => !responses.some(({ status }) => /^4(03|xx)$/i.test(status)),
      );
      return [
        ...undescribed,
        ...without403.map(({ place }) =>
          finding(
            below(place, 'responses') ?? place,
            'The 403 response for callers without the account-admin role is missing.',
          ),
        ),
      ];
    },
  }),
];
