/** A body, as formatted JSON if it is JSON; scrolls to the first marked line. */
import { useEffect, useRef } from 'preact/hooks';
import { escapeControls } from '../../printable.ts';
import { parseTruncatedJson } from './truncated-json.ts';
import { jsonLines } from './json-lines.ts';
import type { JsonLine } from './json-lines.ts';

interface Props {
  text: string | null;
  isMarked: (line: JsonLine) => boolean;
  name: string;
}

/** Lines of a body that are printed, in addition to marked ones. */
const MAX_PRINTED_LINES = 40;

export function Body({ text, isMarked, name }: Props) {
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => scrollToMark(place.current), []);
  if (text === null) return null;
  const json = parseTruncatedJson(text);
  const lines = json === undefined ? [] : jsonLines(json.value);
  return (
    <pre ref={place} class="body" tabIndex={0} role="group" aria-label={`Body of ${name}`}>
      {json === undefined && escapeControls(text, { lineEnds: true })}
      {lines.map((line, index) => (
        <Line key={index} line={line} isMarked={isMarked(line)} isOnScreenOnly={index >= MAX_PRINTED_LINES} />
      ))}
      {json?.whole === false && <span class="cut">… truncated</span>}
      {lines.length > MAX_PRINTED_LINES && (
        <span class="cut paper">… {lines.length} lines in total, see report.html</span>
      )}
    </pre>
  );
}

/** Scrolls only the body, not the page. */
function scrollToMark(body: HTMLElement | null): void {
  const mark = body?.querySelector('mark') ?? null;
  if (body === null || mark === null) return;
  const below = mark.getBoundingClientRect().bottom - body.getBoundingClientRect().top;
  if (below > body.clientHeight) body.scrollTop = below - body.clientHeight / 2;
}

function Line({ line, isMarked, isOnScreenOnly }: { line: JsonLine; isMarked: boolean; isOnScreenOnly: boolean }) {
  const [indent, text] = ['  '.repeat(line.depth), escapeControls(line.text)];
  return (
    <span class={isOnScreenOnly && !isMarked ? 'screen' : undefined}>
      {indent}
      {isMarked ? <mark>{text}</mark> : text}
      {'\n'}
    </span>
  );
}
