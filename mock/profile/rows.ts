/** How each observation is applied: the points of every observing rule, a rule without a row does not compile. */
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { Point, Points } from './point.ts';
import { agentsPoints } from './points/agents.ts';
import { schemeWordPoints, whichWinsPoints } from './points/credentials.ts';
import { errorsPoints } from './points/errors.ts';
import { inferencePoints } from './points/inference.ts';
import { lifecyclePoints } from './points/lifecycle.ts';
import { shapePoints, statusPoints } from './points/management.ts';
import { mcpPoints } from './points/mcp.ts';
import { edgeCasePoints } from './points/metrics-questions.ts';
import { alignmentPoints, cursorPoints, fullPagesPoints, orderPoints } from './points/metrics.ts';
import { duplicatePoints, oddNamePoints } from './points/naming.ts';
import { listPoint, oauthPoints } from './points/oauth.ts';
import { sandboxAnswerPoints } from './points/sandbox-answers.ts';
import { sandboxListingPoints } from './points/sandbox-listing.ts';
import { scopePoint, workspaceHeaderPoint } from './points/scopes.ts';
import { precedencePoints, versionHeaderPoints } from './points/versions.ts';

export interface ProfileRow {
  readonly points?: Points;
  /** For words that hold a name of the target's: the point of such words, undefined for others. */
  readonly pointFor?: (what: string) => Point | undefined;
}

/** In the order in which layers are put around the mock: what a later row makes of an answer is made of what earlier ones left. */
export const profileRows: Readonly<Record<ObserveId, ProfileRow>> = {
  'resources.lifecycle.status-sequence': { points: lifecyclePoints },
  'agents.runtime.bounds': { points: agentsPoints },
  'naming.name.hyphens-digits-reserved': { points: oddNamePoints },
  'naming.name.duplicate-status': { points: duplicatePoints },
  'management.undocumented.statuses': { points: statusPoints },
  'management.undocumented.answer-shapes': { points: shapePoints },
  'metrics.buckets.alignment': { points: alignmentPoints },
  'metrics.pagination.cursor-with-other-parameters': { points: cursorPoints },
  'metrics.pagination.pages-full': { points: fullPagesPoints },
  'metrics.pagination.order': { points: orderPoints },
  'metrics.parameters.edge-cases': { points: edgeCasePoints },
  'inference.undocumented.answers': { points: inferencePoints },
  'mcp.undocumented.session-and-capabilities': { points: mcpPoints },
  'sandbox.undocumented.answers': { points: { ...sandboxListingPoints, ...sandboxAnswerPoints } },
  'oauth.extras.what-the-server-offers': { points: oauthPoints, pointFor: listPoint },
  'auth.workspace-header.missing-or-other': { pointFor: workspaceHeaderPoint },
  'auth.scopes.what-each-operation-accepts': { pointFor: scopePoint },
  'auth.headers.scheme-word-any-case': { points: schemeWordPoints },
  'auth.headers.which-one-wins': { points: whichWinsPoints },
  'versions.header.empty-repeated-or-other-apis': { points: versionHeaderPoints },
  'versions.precedence.before-credential': { points: precedencePoints },
  'errors.generic.statuses': { points: errorsPoints },
};

/** Undefined where this version does not know the words. */
export function pointOf(id: ObserveId, what: string): Point | undefined {
  const { points = {}, pointFor } = profileRows[id];
  return Object.hasOwn(points, what) ? points[what] : pointFor?.(what);
}
