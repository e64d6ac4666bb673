/** The sections of the console, with their counts. */
import { useEffect, useRef } from 'preact/hooks';
import { useMock } from './mock-state.ts';
import { count } from './format.ts';
import { sectionNames, sections } from './use-section.ts';
import type { SectionName } from './use-section.ts';

export function Navigation({ section, requests }: { section: SectionName; requests: number }) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone, the current section may be scrolled out of view.
    place.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [section]);
  const { resources, faults, responses, worlds } = useMock();
  const counts: Partial<Record<SectionName, number>> = {
    resources: resources.length,
    journal: requests,
    faults: faults.rules.length,
    responses: responses.responses.length,
    worlds: worlds.length,
  };
  return (
    <nav ref={place} aria-label="Sections of the console">
      {sectionNames.map((name) => (
        <a key={name} href={`#${name}`} aria-current={name === section ? 'page' : undefined}>
          {sections[name]}
          {counts[name] !== undefined && <span class="count"> {count(counts[name])}</span>}
        </a>
      ))}
    </nav>
  );
}
