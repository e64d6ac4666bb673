// @ts-check
/** The conventions of the interface as a Spectral ruleset, for `assay lint` and for Spectral's own command alike. */
import { rules } from './rules/index.mjs';
import { spectralRule } from './spectral-rule.mjs';

// The default export alone: Spectral's command does not load a ruleset that has others.
export default {
  rules: Object.fromEntries(rules.map((rule) => [rule.id, spectralRule(rule, rule.severity)])),
};
