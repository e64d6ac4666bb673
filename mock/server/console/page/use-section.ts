/** The visible section of the console, from the URL's fragment. */
import { useEffect, useState } from 'preact/hooks';

export const sections = {
  resources: 'Resources',
  journal: 'Journal',
  verify: 'Verify',
  faults: 'Faults',
  responses: 'Responses',
  calls: 'Calls',
  metrics: 'Metrics',
  tokens: 'Tokens',
  worlds: 'Worlds',
} as const;

export type SectionName = keyof typeof sections;

export const sectionNames = Object.keys(sections) as SectionName[];

const current = (): SectionName => sectionNames.find((name) => location.hash === `#${name}`) ?? 'resources';

export function useSection(): SectionName {
  const [section, setSection] = useState(current);
  useEffect(() => {
    const follow = (): void => setSection(current());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return section;
}
