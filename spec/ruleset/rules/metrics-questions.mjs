// @ts-check
/** What may be asked of the billing metrics: which parameters there are, which of them are required, and of whom. */
import { below, finding } from '../document/place.mjs';
import { allowedValues, isOfType, keyword } from '../document/schema.mjs';
import { billingDimensions } from '../values.mjs';
import { notTheListed } from './enumeration.mjs';
import { eachQuery, metricsOf, query, schemaOf, wordsAbout } from './metrics-operation.mjs';
import { rule } from './rule.mjs';

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

export const metricsQuestionsRules = [
  rule({
    id: 'metrics-window',
    says: 'The window of the metrics is required: startTime and endTime, RFC 3339 timestamps in the query.',
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
            return [finding(operation.place, `${operation.name} has no ${name} in its query.`)];
          if (!parameter.required) return [finding(parameter.place, `${name} is not marked as required.`)];
          const timestamp = isOfType(parameter.schema, 'string') && keyword(parameter.schema, 'format') === 'date-time';
          return timestamp ? [] : [finding(schemaOf(parameter)[0], `${name} is no string of format date-time.`)];
        }),
      ),
  }),
  rule({
    id: 'metrics-optional',
    says: 'All other query parameters of the metrics may be left out.',
    requirements: ['metrics.group-by.absent-one-entry', 'metrics.resolution.picked-by-window'],
    example: {
      within: 'metrics',
      at: [...PARAMETERS, 'resolution'],
      good: { required: false },
      bad: { required: true },
    },
    find: (model) =>
      OPTIONAL.flatMap((name) =>
        eachQuery(name, ({ required, place }) =>
          required ? [finding(place, `${name} is required, but may be left out.`)] : [],
        )(model),
      ),
  }),
  rule({
    id: 'metrics-filters',
    says: 'Filters are strings; only a billing dimension is one of a list, that of the twelve.',
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
          if (isOfType(schema, 'string') && allowedValues(schema) === undefined) return [];
          return [finding(schema[0], `${name} may be any string; the schema narrows it.`)];
        })(model),
      ),
    ],
  }),
  rule({
    id: 'metrics-unsupported',
    says: 'The metrics have no parameters label and unit, which the interface does not support.',
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
    says: 'The descriptions of workspace and groupBy say that they take the account-admin role, and the 403 is there.',
    requirements: ['metrics.roles.workspace-filter-admin-only', 'metrics.roles.group-by-workspace-admin-only'],
    example: {
      within: 'metrics',
      at: ['paths', '/accounts/{accountId}/metrics', 'get', 'responses'],
      good: { 403: { $ref: '#/components/responses/AccessDenied' } },
      bad: { 403: null },
    },
    find: (model) => {
      const unsaid = ['workspace', 'groupBy'].flatMap((name) =>
        eachQuery(name, (parameter, operation) =>
          /account[ -]?admin/i.test(wordsAbout(parameter, operation))
            ? []
            : [finding(parameter.place, `Nothing says that ${name} takes the account-admin role.`)],
        )(model),
      );
      const unanswered = metricsOf(model).filter(
        ({ answers }) => !answers.some(({ status }) => /^4(03|xx)$/i.test(status)),
      );
      return [
        ...unsaid,
        ...unanswered.map(({ place }) =>
          finding(
            below(place, 'responses') ?? place,
            'There is no answer 403, which a caller without the account-admin role gets.',
          ),
        ),
      ];
    },
  }),
];
