/** Suggests similar rules if a ruleset changes a rule that does not exist. */
import { didYouMean } from '../../../spec/nearest.ts';
import { isMap } from '../../../spec/ruleset/document/place.mjs';

/** Rewrites Spectral's message about such rules; any other one stays. `definition`: of the ruleset. */
export const suggestRules = (message: string, definition: unknown): string =>
  message.replaceAll(/Cannot extend non-existing rule: "(.+?)"\./g, (_, id: string) => {
    const known = [...ruleIds(definition)].filter((each) => each !== id);
    return `rules.${id}: No extended ruleset has this rule.${didYouMean(id, known)}`;
  });

/** Also of the rulesets that it extends, alone or in pairs with a mode. */
function ruleIds(definition: unknown): Set<string> {
  if (!isMap(definition)) return new Set();
  const own = isMap(definition['rules']) ? Object.keys(definition['rules']) : [];
  const extended = [definition['extends'] ?? []].flat().map((each: unknown) => (Array.isArray(each) ? each[0] : each));
  return new Set([...own, ...extended.flatMap((each) => [...ruleIds(each)])]);
}
