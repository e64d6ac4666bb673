/** The parts of Spectral in use. The package bundles them into this file: see cli/dev/bundle-libraries.ts. */
export { Document, Ruleset, Spectral } from '@stoplight/spectral-core';
export type { ISpectralDiagnostic, RulesetDefinition } from '@stoplight/spectral-core';
export { default as Parsers } from '@stoplight/spectral-parsers';
export { Resolver } from '@stoplight/spectral-ref-resolver';

/** The exports of what the rulesets of users may import, by package. */
export type RulesetLibraries = Readonly<Record<LibraryName, Readonly<Record<string, unknown>>>>;

type LibraryName = `@stoplight/spectral-${'core' | 'formats' | 'functions' | 'rulesets'}`;

/** Loaded only for rulesets of users, because it takes a while. */
export async function loadRulesetLibraries(): Promise<RulesetLibraries> {
  const [core, formats, functions, oas] = await Promise.all([
    import('@stoplight/spectral-core'),
    import('@stoplight/spectral-formats'),
    import('@stoplight/spectral-functions'),
    // Not those of AsyncAPI and Arazzo, which are many times as large.
    import('@stoplight/spectral-rulesets/dist/oas/index.js'),
  ]);
  return {
    '@stoplight/spectral-core': namedExports(core),
    '@stoplight/spectral-formats': namedExports(formats),
    '@stoplight/spectral-functions': namedExports(functions),
    '@stoplight/spectral-rulesets': { oas: defaultOf(oas) },
  };
}

/** Without what Node adds to a CommonJS module. */
const namedExports = (library: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(library).filter(([name]) => !['default', 'module.exports', '__esModule'].includes(name)),
  );

/** Of a CommonJS module with an export of that name; Node gives all its exports as the default one, a bundler does not. */
const defaultOf = <T extends object>({ default: value }: { default: T | { default: T } }): T =>
  'default' in value ? value.default : value;
