/** The tools that a server lists, page by page (MCP 2025-11-25, Tools and Pagination). */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing } from '../engine/conforms.ts';
import type { Mismatch, Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import type { Exchange } from '../target/client.ts';
import { eventually } from '../target/eventually.ts';
import { formatValue } from '../expect/format-value.ts';
import { fieldsOf } from '../json/fields.ts';
import type { Fields } from '../json/fields.ts';
import { succeeded } from '../kit/mcp/expect.ts';
import type { Session } from '../kit/mcp/session.ts';

export interface Tool {
  readonly name: string;
  readonly inputSchema: object;
  /** Annotated as read-only (`readOnlyHint`). */
  readonly onlyReads: boolean;
  /** Can only be called as a task, which requires a capability of the client. */
  readonly needsTask: boolean;
}

export interface ToolList {
  readonly tools: readonly Tool[];
  readonly mismatches: readonly Mismatch[];
}

/** The name of a tool that no server has. */
export const UNLISTED_TOOL = 'assay-unknown';

/** Parameters of `tools/call`. */
export const unlistedCall = { name: UNLISTED_TOOL, arguments: {} };

const MAX_PAGES = 100;

/** Whether the server declares the tools capability. Without it, a server need not support the methods of tools. */
export function hasTools({ started }: Session): boolean {
  return fieldsOf(fieldsOf(started.message?.result)?.['capabilities'])?.['tools'] !== undefined;
}

/** Lists them again if the session is another one at the end: a cursor may be unknown in it. */
export async function listTools(session: Session): Promise<ToolList> {
  const { sessionId } = session;
  const list = await listOnce(session);
  return list.mismatches.length === 0 || session.sessionId === sessionId ? list : listOnce(session);
}

async function listOnce(session: Session): Promise<ToolList> {
  const tools: Tool[] = [];
  const mismatches: Mismatch[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const response = await session.request('tools/list', cursor === undefined ? undefined : { cursor });
    mismatches.push(...succeeded(session, response, { of: 'tools/list', source: mcpSources.tools, also: isPage }));
    const page = fieldsOf(response.message?.result) ?? {};
    tools.push(...toolsIn(page));
    cursor = typeof page['nextCursor'] === 'string' ? page['nextCursor'] : undefined;
    if (cursor === undefined) mismatches.push(...repeatedNames(tools, response.exchange));
    if (cursor === undefined || mismatches.length > 0) return { tools, mismatches };
    if (cursors.has(cursor) || cursors.size === MAX_PAGES)
      return {
        tools,
        mismatches: citing(mcpSources.pagination, [
          { expected: 'a last page of tools', actual: 'pages without end', exchange: response.exchange },
        ]),
      };
    cursors.add(cursor);
  }
}

const MAX_SECONDS = 5;
/** Whether the list stayed empty. */
const emptyOfRun = sharedValue<{ isKnown: boolean }>();

/** Like listTools. Waits while the list is empty: a server may have its tools only once its own service is connected. */
export async function listToolsInTime(run: Run, session: Session): Promise<ToolList> {
  const empty = await emptyOfRun.get(run, async () => ({ isKnown: false }));
  const isEmpty = ({ tools, mismatches }: ToolList): boolean => tools.length === 0 && mismatches.length === 0;
  const seconds = empty.isKnown ? 0 : Math.min(MAX_SECONDS, run.patienceSeconds);
  const list = await eventually(
    () => listTools(session),
    (each) => !isEmpty(each),
    seconds,
  );
  empty.isKnown = isEmpty(list);
  return list;
}

/** A name identifies a tool (MCP 2025-11-25, Tools). */
function repeatedNames(tools: readonly Tool[], exchange: Exchange): Mismatch[] {
  const names = tools.map(({ name }) => name);
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  return [...new Set(repeated)].map((name) => ({
    expected: 'each tool once',
    actual: `several tools ${formatValue(name)}`,
    exchange,
    source: mcpSources.tools,
  }));
}

/** Of one page, whose tools are distinct. */
export const pageMismatches = (page: Fields, exchange: Exchange): Mismatch[] => [
  ...isPage(page, exchange),
  ...repeatedNames(toolsIn(page), exchange),
];

const listIn = ({ tools }: Fields): unknown[] => (Array.isArray(tools) ? (tools as unknown[]) : []);

function isPage(page: Fields, exchange: Exchange): Mismatch[] {
  if (!Array.isArray(page['tools']))
    return [{ expected: 'tools: a list', actual: JSON.stringify(page['tools']) ?? 'absent', exchange }];
  const { nextCursor } = page;
  if (!['string', 'undefined'].includes(typeof nextCursor) && nextCursor !== null)
    return citing(mcpSources.pagination, [
      { expected: 'nextCursor: a string or absent', actual: formatValue(nextCursor), exchange },
    ]);
  return listIn(page)
    .filter((each) => toolOf(each) === undefined)
    .map((each) => ({
      expected: 'a tool with a name and an inputSchema of the type "object"',
      actual: formatValue(each, 200),
      exchange,
    }));
}

export const toolsIn = (page: Fields): Tool[] => listIn(page).flatMap((each) => toolOf(each) ?? []);

function toolOf(listed: unknown): Tool | undefined {
  const { name, inputSchema, annotations, execution } = fieldsOf(listed) ?? {};
  const schema = fieldsOf(inputSchema);
  if (typeof name !== 'string' || name === '' || schema?.['type'] !== 'object') return undefined;
  const onlyReads = fieldsOf(annotations)?.['readOnlyHint'] === true;
  return { name, inputSchema: schema, onlyReads, needsTask: fieldsOf(execution)?.['taskSupport'] === 'required' };
}
