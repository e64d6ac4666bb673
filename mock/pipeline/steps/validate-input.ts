/** Validates the body against the operation's schema in the selected version, and translates it to the earliest one. */
import { requestFrom } from '../../../spec/in-version.ts';
import { bodyFindings } from '../../../spec/validators.ts';
import { requireState, type Step } from '../context.ts';
import { invalidBody } from '../../http/problems.ts';

export const validateInput: Step = (ctx, next) => {
  const { operation } = requireState(ctx.state.route, 'matchOperation');
  if (operation.bodyType !== 'application/json') return next();
  const version = requireState(ctx.state.version, 'selectVersion');
  const findings = bodyFindings(operation.id, ctx.state.body, version);
  if (findings.length > 0) throw invalidBody(findings);
  ctx.state.body = requestFrom(version, operation.id, ctx.state.body);
  return next();
};
