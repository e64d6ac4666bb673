/** Finds the rule whose JSONPath cannot be evaluated, because Spectral evaluates those of all rules at once. */
import type { ParsedDocument } from '../parse.ts';
import type { Resolver } from '../spectral.ts';
import { Ruleset, Spectral } from '../spectral.ts';
import { describeError } from './invalid-ruleset.ts';

interface Run {
  readonly ruleset: Ruleset;
  readonly document: ParsedDocument;
  readonly resolver: Resolver;
}

/** Returns a sentence with the rule and the reason. Undefined if the JSONPath of every rule can be evaluated. */
export async function describeBrokenGiven({ ruleset, document, resolver }: Run): Promise<string | undefined> {
  for (const rule of Object.values(ruleset.rules).filter(({ enabled }) => enabled)) {
    for (const given of rule.getGivenForFormats(document.formats ?? null)) {
      const spectral = new Spectral({ resolver });
      spectral.setRuleset({ rules: { probe: probeFor(given, rule.resolved) } });
      try {
        await spectral.run(document);
      } catch (error) {
        return `rules.${rule.name}.given: The JSONPath ${JSON.stringify(given)} cannot be evaluated: ${describeError(error)}`;
      }
    }
  }
  return undefined;
}

/** A rule that finds nothing. */
const probeFor = (given: string, resolved: boolean) => ({
  given,
  resolved,
  // Spectral requires the property name `then`.
  // oxlint-disable-next-line unicorn/no-thenable
  then: { function: () => undefined },
});
