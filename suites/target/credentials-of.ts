/** The credentials of a target in one list. */
import { credentialNames } from '../../spec/formats/target-values.ts';
import type { Secret, Target } from './target.ts';

/** All of the target, by key below `credentials`. */
export function credentialsOf({ credentials: { scoped, ...named } }: Target): (readonly [string, Secret])[] {
  const own = credentialNames.map((name) => [name, named[name]] as const);
  const byScope = Object.entries(scoped).map(([scope, secret]) => [`scoped.${scope}`, secret] as const);
  return [...own, ...byScope].flatMap(([name, secret]) => (secret === undefined ? [] : [[name, secret] as const]));
}
