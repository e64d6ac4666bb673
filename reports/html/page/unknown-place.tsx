/** Says that the address names a rule or section that is not in the report, and suggests similar rules. */
import { useEffect, useRef } from 'preact/hooks';
import { nearest } from '../../../spec/nearest.ts';
import type { RuleResult } from '../../../spec/verdicts.ts';
import { escapeControls } from '../../printable.ts';

export function UnknownPlace({ place, results }: { place: string; results: readonly RuleResult[] }) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => element.current?.scrollIntoView({ block: 'center' }), [place]);
  const ids = results.map(({ id }) => id);
  const similar = nearest(place, ids);
  return (
    <div ref={element} class="notice" role="alert">
      <p>
        This report has no rule <code>{escapeControls(place)}</code>.
        {similar.length > 0 ? ' Did you mean one of these?' : ' Search for it below.'}
      </p>
      <ul>
        {similar.map((id) => (
          <li key={id}>
            <a href={`#${id}`}>{id}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}
