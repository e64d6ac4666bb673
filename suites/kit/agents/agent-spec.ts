/** The spec of an agent as a run sends it: with what the target requires of every agent, and with values that it accepts. */
import type { Run } from '../../engine/run.ts';
import { fieldsOf } from '../../json/fields.ts';
import { withAcceptedValues } from './accepted-values.ts';
import type { Spec } from './accepted-values.ts';

/**
 * Of a create, or of an update, which replaces the spec: with the fields of `samples.agentSpec` that it lacks, and with values that
 * the target is known to accept in place of those that it has refused. Call it once, with what a run has made up.
 */
export function agentSpec(run: Pick<Run, 'shared' | 'target'>, made: Spec = {}): Spec {
  const spec = withAcceptedValues(run, made);
  const sample = run.target.samples.agentSpec;
  if (sample === undefined) return spec;
  return { ...sample, ...spec, runtime: { ...fieldsOf(sample['runtime']), ...spec.runtime } };
}

/** What a reason ends with if the target may require fields of every agent. Empty if the target file has them. */
export const missingAgentSpec = ({ target: { samples } }: Pick<Run, 'target'>): string =>
  samples.agentSpec === undefined ? ': set samples.agentSpec in the target file' : '';
