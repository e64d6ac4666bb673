/** The rules of a ruleset for the formats that list them. */
import { rules } from '../../../spec/ruleset/rules/index.mjs';
import type { LintRule } from '../finding.ts';
import type { Ruleset } from '../spectral.ts';

const requirementsOfRule = new Map<string, readonly string[]>(rules.map(({ id, requirements }) => [id, requirements]));

/** Those that are on, also the rules of users and of Spectral. */
export function describeRules(ruleset: Ruleset): LintRule[] {
  return Object.values(ruleset.rules)
    .filter(({ enabled }) => enabled)
    .map(({ name, description, documentationUrl }) => ({
      id: name,
      description: description ?? name,
      requirements: requirementsOfRule.get(name) ?? [],
      ...(documentationUrl !== null && { helpUri: documentationUrl }),
    }));
}
