/** Why a ruleset cannot be used. */
import path from 'node:path';
import { UsageError } from '../../command-line/usage-error.ts';
import { FunctionFailed } from './guard-function.ts';

/** `reason`: one or more sentences. */
export const invalidRuleset = (file: string, reason: string): UsageError =>
  new UsageError(`ruleset ${path.relative(process.cwd(), file) || file}: ${reason}`);

/** Describes an error of Spectral's validation or of a module: one sentence for each problem. */
export function describeError(error: unknown): string {
  const { errors, message, path: at, cause } = error as Partial<AggregateError> & { path?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return [...new Set(errors.map(describeError))].join(' ');
  // Spectral wraps what a function throws, and so does the traversal of the document.
  if (cause instanceof FunctionFailed) return describeError(cause);
  if (cause instanceof Error && /^\S+ threw: /.test(message ?? '')) return describeError(cause);
  const where = Array.isArray(at) && at.length > 0 ? `${at.map(String).join('.')}: ` : '';
  return `${where}${(message ?? String(error)).split('\n', 1)[0]?.replace(/\.?$/, '.')}`;
}
