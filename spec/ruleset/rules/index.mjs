// @ts-check
/** All rules of the ruleset, in the order of the reference. */
import { agentsRules } from './agents.mjs';
import { envelopeRules } from './envelope.mjs';
import { errorsRules } from './errors.mjs';
import { metricsParametersRules } from './metrics-parameters.mjs';
import { metricsValuesRules } from './metrics-values.mjs';
import { namesRules } from './names.mjs';
import { openapiRules } from './openapi.mjs';
import { operationsRules } from './operations.mjs';
import { securityRules } from './security.mjs';
import { versionsRules } from './versions.mjs';

/** @typedef {import('./rule.mjs').Rule} Rule */

/** @type {readonly { topic: string, rules: readonly Rule[] }[]} */
export const topics = [
  { topic: 'Names', rules: namesRules },
  { topic: 'Envelope', rules: envelopeRules },
  { topic: 'Agents', rules: agentsRules },
  { topic: 'Credentials and scopes', rules: securityRules },
  { topic: 'Versions and headers', rules: versionsRules },
  { topic: 'Errors', rules: errorsRules },
  { topic: 'Metrics', rules: [...metricsParametersRules, ...metricsValuesRules] },
  { topic: 'Operations', rules: operationsRules },
  { topic: 'OpenAPI', rules: openapiRules },
];

/** @type {readonly Rule[]} */
export const rules = topics.flatMap((each) => each.rules);
