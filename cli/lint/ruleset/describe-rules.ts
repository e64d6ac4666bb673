/** The rules of a ruleset for the formats that list them. */
import { rules } from '../../../spec/ruleset/rules/index.mjs';
import { ruleSection } from '../../../spec/ruleset/rule-section.ts';
import type { LintRule } from '../finding.ts';
import type { Rule } from '../../../spec/ruleset/rules/rule.mjs';
import type { Ruleset } from '../spectral.ts';

const ownRules = new Map<string, Rule>(rules.map((rule) => [rule.id, rule]));

/** Those that are on, also the rules of users and of Spectral. */
export function describeRules(ruleset: Ruleset): LintRule[] {
  return Object.values(ruleset.rules)
    .filter(({ enabled }) => enabled)
    .map(({ name, description, documentationUrl }) => {
      const own = ownRules.get(name);
      return {
        id: name,
        description: description ?? name,
        requirements: own?.requirements ?? [],
        // A user's rule may have the name of one of ours.
        ...(own !== undefined && own.description === description && { help: ruleSection(own) }),
        ...(documentationUrl !== null && { helpUri: documentationUrl }),
      };
    });
}
