/** A body, as JSON line by line where it is JSON; what is marked in it is in sight, and on paper too. */
import { useEffect, useRef } from 'preact/hooks';
import { printable } from '../../printable.ts';
import { readJson } from './cut-json.ts';
import { jsonLines } from './json-lines.ts';
import type { JsonLine } from './json-lines.ts';

interface Props {
  text: string | null;
  isMarked: (line: JsonLine) => boolean;
  name: string;
}

/** Lines of a body that paper has; of the rest those that are marked. */
const ON_PAPER = 40;

export function Body({ text, isMarked, name }: Props) {
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => scrollToMark(place.current), []);
  if (text === null) return null;
  const json = readJson(text);
  const lines = json === undefined ? [] : jsonLines(json.value);
  return (
    <pre ref={place} class="body" tabIndex={0} role="group" aria-label={`Body of ${name}`}>
      {json === undefined && printable(text, { lineEnds: true })}
      {lines.map((line, index) => (
        <Line key={index} line={line} isMarked={isMarked(line)} isOnScreenOnly={index >= ON_PAPER} />
      ))}
      {json?.whole === false && <span class="cut">… the rest is left out</span>}
      {lines.length > ON_PAPER && <span class="cut paper">… {lines.length} lines, all of them in report.html</span>}
    </pre>
  );
}

/** Within the body: the page stays where it is. */
function scrollToMark(body: HTMLElement | null): void {
  const mark = body?.querySelector('mark') ?? null;
  if (body === null || mark === null) return;
  const below = mark.getBoundingClientRect().bottom - body.getBoundingClientRect().top;
  if (below > body.clientHeight) body.scrollTop = below - body.clientHeight / 2;
}

function Line({ line, isMarked, isOnScreenOnly }: { line: JsonLine; isMarked: boolean; isOnScreenOnly: boolean }) {
  const [indent, text] = ['  '.repeat(line.depth), printable(line.text)];
  return (
    <span class={isOnScreenOnly && !isMarked ? 'screen' : undefined}>
      {indent}
      {isMarked ? <mark>{text}</mark> : text}
      {'\n'}
    </span>
  );
}
