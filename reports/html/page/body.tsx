/** A body, as formatted JSON if it is JSON; long ones are folded to their beginning and the marked lines. */
import { useState } from 'preact/hooks';
import { escapeControls } from '../../printable.ts';
import type { BodyLine } from './annotate-lines.ts';
import { foldLines } from './fold-lines.ts';
import { counted } from './format.ts';
import { jsonLines } from './json-lines.ts';
import type { JsonLine } from './json-lines.ts';
import { parseTruncatedJson } from './truncated-json.ts';

interface Props {
  text: string | null;
  annotate: (lines: readonly JsonLine[]) => readonly BodyLine[];
  name: string;
}

/** Lines of an expanded body that are printed, in addition to marked ones. */
const MAX_PRINTED_LINES = 40;
/** Characters of a line of a folded body. */
const MAX_LINE_LENGTH = 600;

export function Body({ text, annotate, name }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (text === null) return null;
  const json = parseTruncatedJson(text);
  const lines = json === undefined ? textLines(text) : annotate(jsonLines(json.value));
  const folded = foldLines(lines);
  const parts = isOpen ? lines.map((line) => ({ line })) : folded;
  const isFoldable = folded.length < lines.length || lines.some((each) => each.text.length > MAX_LINE_LENGTH);
  return (
    <>
      <pre class="body" role="group" aria-label={`Body of ${name}`}>
        {parts.map((part, index) =>
          'line' in part ? (
            <Line key={index} line={part.line} isOpen={isOpen} isOnScreenOnly={isOpen && index >= MAX_PRINTED_LINES} />
          ) : (
            <span key={index} class="cut">{`⋯ ${counted(part.hidden, 'line')}\n`}</span>
          ),
        )}
        {json?.whole === false && <span class="cut">… truncated</span>}
        {isOpen && lines.length > MAX_PRINTED_LINES && (
          <span class="cut paper">… {lines.length} lines in total, see report.html</span>
        )}
      </pre>
      {isFoldable && (
        <button type="button" class="quiet unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : `Show all ${counted(lines.length, 'line')}`}
          <span class="spoken"> of the body of {name}</span>
        </button>
      )}
    </>
  );
}

const textLines = (text: string): BodyLine[] =>
  text.split('\n').map((line) => ({ depth: 0, text: line, isMarked: false }));

function Line({ line, isOpen, isOnScreenOnly }: { line: BodyLine; isOpen: boolean; isOnScreenOnly: boolean }) {
  const isCut = !isOpen && line.text.length > MAX_LINE_LENGTH;
  const text = escapeControls(isCut ? `${line.text.slice(0, MAX_LINE_LENGTH)}…` : line.text);
  return (
    <span class={isOnScreenOnly && !line.isMarked ? 'screen' : undefined}>
      {'  '.repeat(line.depth)}
      {line.isMarked ? <mark>{text}</mark> : text}
      {'\n'}
    </span>
  );
}
