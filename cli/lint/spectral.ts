/** The parts of Spectral in use. The package bundles them into this file: see cli/dev/bundle-libraries.ts. */
export { Document, Spectral } from '@stoplight/spectral-core';
export type { ISpectralDiagnostic, RulesetDefinition } from '@stoplight/spectral-core';
export { default as Parsers } from '@stoplight/spectral-parsers';
export { Resolver } from '@stoplight/spectral-ref-resolver';
