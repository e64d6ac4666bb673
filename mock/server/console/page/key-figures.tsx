/** The key figures of the world. */
import type { ProfileSummary } from '../../../state/profile-summary.ts';
import { useMock } from './mock-state.ts';
import { count } from './format.ts';
import { isMoving } from './status.tsx';
import { isFull } from './use-journal.ts';
import type { LiveJournal } from './use-journal.ts';

export function KeyFigures({ journal: { entries } }: { journal: LiveJournal }) {
  const { resources, faults, target, worlds, facts } = useMock();
  const { profile } = facts;
  // The journal forgets the oldest requests.
  const atLeast = (number: number): string => `${count(number)}${isFull(entries) ? '+' : ''}`;
  const figures: readonly (readonly [label: string, figure: string])[] = [
    ['Account', target.account ?? '–'],
    ['Workspace', target.workspace ?? '–'],
    ['Seed', String(worlds.find(({ control }) => new URL(control).pathname === ownPath())?.seed ?? '–')],
    ['Resources', count(resources.length)],
    ['In transition', count(resources.filter(({ status }) => isMoving(status)).length)],
    ['Requests', atLeast(entries.length)],
    ['Errors', atLeast(entries.filter(({ status }) => (status ?? 0) >= 400).length)],
    ['Fault rules', count(faults.rules.length)],
    ...(profile === undefined ? [] : [['Profile', profileText(profile)] as const]),
  ];
  return (
    <dl class="key-figures">
      {figures.map(([label, figure]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}

const profileText = ({ target, followed, notFollowed }: ProfileSummary): string =>
  `${count(followed)} observations${target === undefined ? '' : ` of ${target}`} (${count(notFollowed)} not applied)`;

const ownPath = (): string => location.pathname.replace(/\/$/, '');
