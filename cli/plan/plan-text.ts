/** A plan as a person reads it: what would be sent how often and as whom, and what of it may stay. */
import { surfaces } from '../../spec/documents.ts';
import { operation } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import type { RunSettings } from '../../suites/open-run.ts';
import { isSuccess, isSurelyRemovable } from '../../suites/target/ledger.ts';
import type { Change, Creation } from '../../suites/target/ledger.ts';
import type { LedgerLine } from '../../suites/target/ledger-lines.ts';
import type { Target } from '../../suites/target/target.ts';
import type { Requests } from './count-requests.ts';

export interface Plan {
  /** The target that is not asked. */
  wanted: Target;
  /** Where a token is fetched before the run. */
  tokens: readonly string[];
  requests: readonly Requests[];
  /** Of the rehearsal, before it was undone. */
  ledger: readonly LedgerLine[];
  settings: Omit<RunSettings, 'target'>;
}

/** With a line end at the end. */
export function planText({ wanted, tokens, requests, ledger, settings }: Plan): string {
  const { name, allow, addresses } = wanted;
  const { seed, runs, budget = 0 } = settings;
  const all = requests.flatMap(({ credentials }) => [...credentials.values()]).reduce((sum, each) => sum + each, 0);
  const parts = [
    `Plan of a run against ${name} (${addresses.management}), allow: ${allow}, seed ${seed}, ${runs} inputs per property.`,
    tokens.map((url) => `First a token is fetched: POST ${url}`).join('\n'),
    table(requests),
    `${all} requests in all. That is what a target would be sent that answers like the documents; one that answers otherwise is sent\nfewer or more, as a failure is narrowed down to its smallest input.`,
    [...effects(requests, ledger, allow, budget), ...namedAgents(wanted, requests)].join('\n'),
    'Nothing was sent to the target.',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function table(requests: readonly Requests[]): string {
  const rows = requests.flatMap((row) =>
    [...row.credentials].map(([credential, count]) => [String(count), whatOf(row), credential, row.surface] as const),
  );
  const width = Math.max(0, ...rows.map(([, what]) => what.length));
  const line = ([count, what, credential]: readonly [string, string, string, string]): string =>
    `${count.padStart(8)}  ${what.padEnd(width)}  ${credential}`;
  return surfaces
    .map((surface) => [surface, rows.filter(([, , , own]) => own === surface).map(line)] as const)
    .filter(([, lines]) => lines.length > 0)
    .map(([surface, lines]) => `${surface}\n${lines.join('\n')}`)
    .join('\n');
}

const whatOf = ({ method, surface, path }: Requests): string =>
  path === undefined ? `${method} ${surface}, off the documents` : `${method} ${path}`;

/** What is there afterwards that was not before, or the other way round; a sentence each. */
function effects(
  requests: readonly Requests[],
  ledger: readonly LedgerLine[],
  allow: Target['allow'],
  budget: number,
): string[] {
  const creations = ledger.filter((line): line is LedgerLine & Numbered & Creation => 'created' in line);
  const accepted = new Set(ledger.flatMap((line) => ('status' in line && isSuccess(line.status) ? [line.number] : [])));
  const made = creations.filter(({ number }) => accepted.has(number));
  const unsure = made.filter((each) => each.removal !== undefined && !isSurelyRemovable(each));
  const lasting = made.filter(({ removal }) => removal === undefined);
  const changed = ledger.filter((line): line is LedgerLine & Numbered & Change => 'changed' in line);
  const sentences: readonly (readonly [string, string])[] = [
    ['Creates and removes again, if the target can, which the documents do not show: ', told(unsure.map(idOf))],
    ['Creates what there is no way to remove: ', told(lasting.map(idOf))],
    ['Changes and puts back as it was, if the target shows it: ', told(changed.map((each) => each.changed))],
    ['Removes for good what the run did not create: ', foreignRemovals(requests, creations, ledger)],
  ];
  const few = `At most ${budget} things are created that the target has not shown to be able to remove (--budget).`;
  const said = sentences.filter(([, what]) => what !== '').map((sentence) => sentence.join('') + '.');
  return said.length === 0 ? [`Nothing is created, changed or removed (allow: ${allow}).`] : [...said, few];
}

/** What may become of the agents that the target names, which a mock cannot tell: it lets a run make some of its own. */
function namedAgents({ allow, resources }: Target, requests: readonly Requests[]): string[] {
  const { agent, mk3Agent } = resources;
  const names = [...new Set([agent, mk3Agent])].filter((name) => name !== undefined);
  if (names.length === 0 || !requests.some((row) => row.operation === 'updateAgent' && row.succeeded > 0)) return [];
  const which = `Where the run can make no agent of its own it changes ${names.join(' and ')}`;
  return allow === 'destroy'
    ? [`${which}, also one that it cannot read, and so cannot put back (allow: destroy).`]
    : [`${which} only as far as it can read it first, and so put it back (allow: ${allow}).`];
}

interface Numbered {
  number: number;
}

const idOf = ({ created }: Creation): OperationId => created;

function told(ids: readonly OperationId[]): string {
  return [...Map.groupBy(ids, (id) => id)].map(([id, own]) => `${id} × ${own.length}`).join(', ');
}

/** Successful removals beyond those of what the run had created itself. */
function foreignRemovals(
  requests: readonly Requests[],
  creations: readonly (Numbered & Creation)[],
  ledger: readonly LedgerLine[],
): string {
  const undone = new Set(ledger.flatMap((line) => ('undone' in line ? [line.number] : [])));
  const own = creations.flatMap(({ number, removal }) => (removal && undone.has(number) ? [removal.operation] : []));
  const beyond = requests.flatMap(({ operation: id, succeeded }) => {
    if (id === undefined || operation(id).method !== 'DELETE') return [];
    return Array.from({ length: succeeded - own.filter((each) => each === id).length }, () => id);
  });
  return told(beyond);
}
