/** Describes the effects of a run beyond reading: what may remain, what is removed permanently, and what may cost money. */
import type { OperationId } from '../../spec/operations.ts';
import { isSuccess, hasDocumentedRemoval } from '../../suites/target/ledger.ts';
import type { Change, Creation } from '../../suites/target/ledger.ts';
import type { LedgerLine } from '../../suites/target/ledger-lines.ts';
import type { Target } from '../../suites/target/target.ts';
import { countOf } from './count-requests.ts';
import type { Requests } from './count-requests.ts';

export interface Rehearsed {
  requests: readonly Requests[];
  /** Before it was undone. */
  ledger: readonly LedgerLine[];
  /** How the names of what was created begin. */
  prefix: string;
}

/** What is there afterwards that was not before, or the other way round; a sentence each. */
export function effects({ requests, ledger, prefix }: Rehearsed, allow: Target['allow'], budget: number): string[] {
  const made = madeIn(ledger);
  const unsure = made.filter((each) => each.removal !== undefined && !hasDocumentedRemoval(each));
  const lasting = made.filter(({ removal }) => removal === undefined);
  const changed = ledger.filter((line): line is LedgerLine & Numbered & Change => 'changed' in line);
  const sentences: readonly (readonly [string, string])[] = [
    ['Creates resources, and removes them if the target supports it (undocumented): ', countById(unsure.map(idOf))],
    ['Creates resources that cannot be removed: ', countById(lasting.map(idOf))],
    [
      'Changes resources, and restores them if the target can read them: ',
      countById(changed.map((each) => each.changed)),
    ],
    ['Permanently removes resources that the run did not create: ', countById(foreignRemovals(requests, prefix))],
  ];
  const nonEmpty = sentences.filter(([, what]) => what !== '').map((sentence) => `${sentence.join('')}.`);
  if (nonEmpty.length === 0) return [`Nothing is created, changed or removed (allow: ${allow}).`];
  const few = `Creates at most ${budget} resources before the target has proved that it can remove them (--budget).`;
  return unsure.length + lasting.length === 0 ? nonEmpty : [...nonEmpty, few];
}

interface Numbered {
  number: number;
}

/** The creations that were accepted. */
function madeIn(ledger: readonly LedgerLine[]): Creation[] {
  const creations = ledger.filter((line): line is LedgerLine & Numbered & Creation => 'created' in line);
  const accepted = new Set(ledger.flatMap((line) => ('status' in line && isSuccess(line.status) ? [line.number] : [])));
  return creations.filter(({ number }) => accepted.has(number));
}

const idOf = ({ created }: Creation): OperationId => created;

function countById(ids: readonly OperationId[]): string {
  return [...Map.groupBy(ids, (id) => id)].map(([id, own]) => `${id} × ${own.length}`).join(', ');
}

/**
 * Successful removals of resources whose path has no part that the run made. They are of the management API: elsewhere a
 * DELETE ends an MCP session or an upload.
 */
function foreignRemovals(requests: readonly Requests[], prefix: string): OperationId[] {
  const isOwn = (url: string): boolean => new URL(url).pathname.split('/').some((part) => part.startsWith(prefix));
  return requests.flatMap(({ operation: id, surface, method, succeeded }) =>
    id === undefined || surface !== 'management' || method !== 'DELETE'
      ? []
      : succeeded.filter((url) => !isOwn(url)).map(() => id),
  );
}

/**
 * Possible effects on the agents in the target file. A mock cannot reveal them, because a run can create its own agents
 * there.
 */
export function namedAgents({ allow, resources }: Target, requests: readonly Requests[]): string[] {
  const { agent, mk3Agent } = resources;
  const names = [...new Set([agent, mk3Agent])].filter((name) => name !== undefined);
  const isUpdated = requests.some((row) => row.operation === 'updateAgent' && row.succeeded.length > 0);
  if (names.length === 0 || !isUpdated) return [];
  const which = `If the run cannot create its own agent, it changes ${names.join(' and ')}`;
  return allow === 'destroy'
    ? [`${which}, even one that cannot be read and so cannot be restored (allow: destroy).`]
    : [`${which} only if it can be read first and so restored (allow: ${allow}).`];
}

/** Workloads that compute for the run and so may cost money: each execution of the job and each query of the others. */
export function workloads({ resources: { job } }: Target, requests: readonly Requests[]): string[] {
  const starts = requests.find((row) => row.operation === 'createJobExecution')?.succeeded.length ?? 0;
  const calls = requests
    .filter(({ surface, path = '' }) => surface === 'inference' && /^\/\{workspace\}\/(agents|models)\//.test(path))
    .map((row) => `${row.operation ?? row.method} × ${countOf(row)}`);
  return [
    ...(job === undefined || starts === 0
      ? []
      : [`Starts the named job ${job}, which may cost money: createJobExecution × ${starts}.`]),
    ...(calls.length === 0 ? [] : [`Queries agents and models, which may cost money: ${calls.join(', ')}.`]),
  ];
}
