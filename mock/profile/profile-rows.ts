/** How each observation is followed: the rows of every observe rule. A rule without rows does not compile. */
import type { FixedWhat } from '../../spec/observations/observation.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { Row, RowsOf } from './row.ts';
import { agentsRows } from './rows/agents.ts';
import { schemeWordRows, tokenSpellingRows, whichWinsRows } from './rows/credentials.ts';
import { errorsRows } from './rows/errors.ts';
import { inferenceRows } from './rows/inference.ts';
import { executionRows } from './rows/jobs.ts';
import { lifecycleRows } from './rows/lifecycle.ts';
import { shapeRows, statusRows } from './rows/management.ts';
import { mcpRows } from './rows/mcp.ts';
import { edgeCaseRows } from './rows/metrics-parameters.ts';
import { alignmentRows, cursorRows, fullPagesRows, orderRows } from './rows/metrics.ts';
import { duplicateRows, endingRows } from './rows/naming.ts';
import { discoveryRow, oauthRows } from './rows/oauth.ts';
import { sandboxFilesRows } from './rows/sandbox-files.ts';
import { sandboxTreeRows } from './rows/sandbox-tree.ts';
import { scopeRow, workspaceHeaderRows } from './rows/scopes.ts';
import { precedenceRows, versionHeaderRows } from './rows/versions.ts';

/** In the order in which layers are put around the mock: a later row changes what earlier ones left. */
export const profileRows: { readonly [Id in ObserveId]: RowsOf<Id> } = {
  'resources.lifecycle.status-sequence': lifecycleRows,
  'agents.runtime.bounds': agentsRows,
  'naming.name.hyphens-digits-reserved': endingRows,
  'naming.name.duplicate-status': duplicateRows,
  'management.undocumented.statuses': statusRows,
  'management.undocumented.answer-shapes': shapeRows,
  'metrics.buckets.alignment': alignmentRows,
  'metrics.pagination.cursor-with-other-parameters': cursorRows,
  'metrics.pagination.pages-full': fullPagesRows,
  'metrics.pagination.order': orderRows,
  'metrics.parameters.edge-cases': edgeCaseRows,
  'inference.undocumented.answers': inferenceRows,
  'jobs.executions.billed': executionRows,
  'mcp.undocumented.session-and-capabilities': mcpRows,
  'sandbox.undocumented.answers': { ...sandboxFilesRows, ...sandboxTreeRows },
  'oauth.extras.what-the-server-offers': oauthRows,
  'auth.workspace-header.missing-or-other': workspaceHeaderRows,
  'auth.scopes.what-each-operation-accepts': {},
  'auth.headers.scheme-word-any-case': schemeWordRows,
  'auth.headers.token-spelling': tokenSpellingRows,
  'auth.headers.which-one-wins': whichWinsRows,
  'versions.header.empty-repeated-or-other-apis': versionHeaderRows,
  'versions.precedence.before-credential': precedenceRows,
  'errors.generic.statuses': errorsRows,
};

/** Rows of families of points. */
const familyRows: { readonly [Id in ObserveId]?: unknown } = {
  'oauth.extras.what-the-server-offers': discoveryRow,
  'auth.scopes.what-each-operation-accepts': scopeRow,
};

/** Throws a RangeError if the point has no row (only reachable past a cast). */
export function rowOf(id: ObserveId, what: string): Row<unknown> {
  const rows = profileRows[id] as { readonly [What in FixedWhat]?: unknown };
  const row = Object.hasOwn(rows, what) ? rows[what as FixedWhat] : familyRows[id];
  if (row === undefined) throw new RangeError(`No row for "${what}" of ${id}.`);
  return row as Row<unknown>;
}
