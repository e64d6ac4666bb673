/** Validates the body against the operation's schema. */
import { bodyFindings } from '../../../spec/validators.ts';
import { requireState, type Step } from '../context.ts';
import { invalidBody } from '../../http/problems.ts';

export const validateInput: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  const findings = operation.bodyType === 'application/json' ? bodyFindings(operation.id, ctx.state.body) : [];
  if (findings.length > 0) throw invalidBody(findings);
  return next();
};
