/** Says what a run would do to a target beyond reading: what may stay, what goes for good, and what may cost. */
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
    ['Creates and removes again, if the target can, which the documents do not show: ', told(unsure.map(idOf))],
    ['Creates what there is no way to remove: ', told(lasting.map(idOf))],
    ['Changes and puts back as it was, if the target shows it: ', told(changed.map((each) => each.changed))],
    ['Removes for good what the run did not create: ', told(foreignRemovals(requests, prefix))],
  ];
  const said = sentences.filter(([, what]) => what !== '').map((sentence) => `${sentence.join('')}.`);
  if (said.length === 0) return [`Nothing is created, changed or removed (allow: ${allow}).`];
  const few = `At most ${budget} things are created that the target has not shown to be able to remove (--budget).`;
  return unsure.length + lasting.length === 0 ? said : [...said, few];
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

function told(ids: readonly OperationId[]): string {
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

/** What may become of the agents that the target names, which a mock cannot tell: it lets a run make some of its own. */
export function namedAgents({ allow, resources }: Target, requests: readonly Requests[]): string[] {
  const { agent, mk3Agent } = resources;
  const names = [...new Set([agent, mk3Agent])].filter((name) => name !== undefined);
  const isUpdated = requests.some((row) => row.operation === 'updateAgent' && row.succeeded.length > 0);
  if (names.length === 0 || !isUpdated) return [];
  const which = `Where the run can make no agent of its own it changes ${names.join(' and ')}`;
  return allow === 'destroy'
    ? [`${which}, also one that it cannot read, and so cannot put back (allow: destroy).`]
    : [`${which} only as far as it can read it first, and so put it back (allow: ${allow}).`];
}

/** What computes for the run, and so may cost money: the job as often as it starts, the others as often as they are asked. */
export function workloads({ resources: { job } }: Target, requests: readonly Requests[]): string[] {
  const starts = requests.find((row) => row.operation === 'createJobExecution')?.succeeded.length ?? 0;
  const calls = requests
    .filter(({ surface, path = '' }) => surface === 'inference' && /^\/\{workspace\}\/(agents|models)\//.test(path))
    .map((row) => `${row.operation ?? row.method} × ${countOf(row)}`);
  return [
    ...(job === undefined || starts === 0
      ? []
      : [`Starts the named job ${job}, which may cost money: createJobExecution × ${starts}.`]),
    ...(calls.length === 0 ? [] : [`Asks agents and models, which may cost money: ${calls.join(', ')}.`]),
  ];
}
