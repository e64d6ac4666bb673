/** Lets the rulesets of users import ours and Spectral's libraries, whether or not these are installed next to them. */
import { registerHooks } from 'node:module';
import { loadRulesetLibraries } from '../spectral.ts';
import type { RulesetLibraries } from '../spectral.ts';

/** As the package exports it. */
export const OWN_RULESET = '@svc/assay/ruleset';

const ownRulesetUrl = new URL('../../../spec/ruleset/index.mjs', import.meta.url).href;
/** Modules with such URLs are written here, and read the libraries from the global object. */
const LIBRARY_URL = 'file:///assay-libraries/';
const GLOBAL_KEY = 'assay.rulesetLibraries';

let provided: Promise<RulesetLibraries> | undefined;

/** From the first call on, imports find these modules; before that, Node's own resolution is unchanged. */
export function provideModules(): Promise<RulesetLibraries> {
  provided ??= loadRulesetLibraries().then(registerLibraries);
  return provided;
}

function registerLibraries(libraries: RulesetLibraries): RulesetLibraries {
  Object.assign(globalThis, { [Symbol.for(GLOBAL_KEY)]: libraries });
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === OWN_RULESET) return { url: ownRulesetUrl, shortCircuit: true };
      if (!Object.hasOwn(libraries, specifier)) return next(specifier, context);
      return { url: `${LIBRARY_URL}${specifier}.mjs`, format: 'module', shortCircuit: true };
    },
    load(url, context, next) {
      if (!url.startsWith(LIBRARY_URL)) return next(url, context);
      const name = url.slice(LIBRARY_URL.length, -'.mjs'.length) as keyof RulesetLibraries;
      return { format: 'module', source: moduleText(name, libraries), shortCircuit: true };
    },
  });
  return libraries;
}

/** A module that exports everything of a library. It awaits nothing, so that CommonJS can require it. */
function moduleText(name: keyof RulesetLibraries, libraries: RulesetLibraries): string {
  const names = Object.keys(libraries[name]);
  return [
    `const library = globalThis[Symbol.for('${GLOBAL_KEY}')][${JSON.stringify(name)}];`,
    ...names.map((each, index) => `const export${index} = library[${JSON.stringify(each)}];`),
    `export { ${names.map((each, index) => `export${index} as ${JSON.stringify(each)}`).join(', ')} };`,
    'export default library;',
  ].join('\n');
}
