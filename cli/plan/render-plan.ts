/** A plan as a person reads it: what would be sent how often and as whom, and what of it may stay. */
import { surfaces } from '../../spec/documents.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import type { Target } from '../../suites/target/target.ts';
import { countOf } from './count-requests.ts';
import type { Requests } from './count-requests.ts';
import { effects, namedAgents, workloads } from './effects.ts';
import type { Rehearsed } from './effects.ts';

export interface Plan extends Rehearsed {
  /** The target, which gets no requests. */
  planned: Target;
  /** The URLs that tokens are fetched from before the run. */
  tokens: readonly string[];
  settings: Omit<RunSettings, 'target'>;
}

/** With a line end at the end. */
export function renderPlan({ planned: wanted, tokens, settings, ...rehearsed }: Plan): string {
  const { requests } = rehearsed;
  const { name, allow, addresses } = wanted;
  const { seed, runs, budget = 0 } = settings;
  const all = requests.map(countOf).reduce((sum, each) => sum + each, 0);
  const parts = [
    `Plan of a run against ${name} (${addresses.management}), allow: ${allow}, seed ${seed}, ${runs} inputs per property.`,
    tokens.map((url) => `Token request before the run: POST ${url}`).join('\n'),
    table(requests),
    `${all} requests in total for a target that responds as documented. Other targets get fewer or more, because each failure is\nshrunk to its smallest input.`,
    [...effects(rehearsed, allow, budget), ...namedAgents(wanted, requests), ...workloads(wanted, requests)].join('\n'),
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
  path === undefined ? `${method} ${surface}, undocumented` : `${method} ${path}`;
