/** The key figures of the world. */
import type { ProfileSummary } from '../../../state/profile-summary.ts';
import { useMock } from './mock-state.ts';
import { count } from './format.ts';
import { isMoving } from './status.tsx';
import type { LiveJournal } from './use-journal.ts';

export function Glance({ journal: { entries } }: { journal: LiveJournal }) {
  const { resources, faults, target, worlds, facts } = useMock();
  const { profile } = facts;
  const figures: readonly (readonly [label: string, figure: string])[] = [
    ['Account', target.account ?? '–'],
    ['Workspace', target.workspace ?? '–'],
    ['Seed', String(worlds.find(({ control }) => new URL(control).pathname === ownPath())?.seed ?? '–')],
    ['Resources', count(resources.length)],
    ['In transition', count(resources.filter(({ status }) => isMoving(status)).length)],
    ['Requests', count(entries.length)],
    ['Refused', count(entries.filter(({ status }) => (status ?? 0) >= 400).length)],
    ['Fault rules', count(faults.rules.length)],
    ...(profile === undefined ? [] : [['Follows', followed(profile)] as const]),
  ];
  return (
    <dl class="glance">
      {figures.map(([label, figure]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const followed = ({ target, followed: kept, notFollowed }: ProfileSummary): string =>
  `${count(kept)} observations${target === undefined ? '' : ` of ${target}`} (${count(notFollowed)} not)`;

const ownPath = (): string => location.pathname.replace(/\/$/, '');
