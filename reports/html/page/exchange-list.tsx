/** A list of expandable exchanges, rendered a page at a time. */
import { useState } from 'preact/hooks';
import type { ExchangeRecord } from '../../../spec/verdicts.ts';
import { escapeControls } from '../../printable.ts';
import { Exchange } from './exchange.tsx';
import { count, duration } from './format.ts';

const PAGE_SIZE = 20;

/** `all` is the number of exchanges of the rule in the run. */
export function ExchangeList({ exchanges, all }: { exchanges: readonly ExchangeRecord[]; all: number }) {
  const [isOpen, setOpen] = useState(false);
  const [limit, setLimit] = useState(PAGE_SIZE);
  if (exchanges.length === 0) return null;
  const description =
    exchanges.length < all ? `last ${count(exchanges.length)} of ${count(all)} exchanges` : `${count(all)} exchanges`;
  const newestFirst = exchanges.toReversed().slice(0, limit);
  return (
    <div class="exchanges">
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} the {description}
      </button>
      {isOpen && (
        <>
          {newestFirst.map((exchange) => (
            <Entry key={exchange.number} exchange={exchange} />
          ))}
          {limit < exchanges.length && (
            <button type="button" class="quiet" onClick={() => setLimit(limit + PAGE_SIZE)}>
              Show {Math.min(PAGE_SIZE, exchanges.length - limit)} more
            </button>
          )}
        </>
      )}
    </div>
  );
}

function Entry({ exchange }: { exchange: ExchangeRecord }) {
  const [isOpen, setOpen] = useState(false);
  const { number, request, answer, durationMs } = exchange;
  return (
    <div class="entry">
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="number">{number}</span>
        <b>{escapeControls(request.method)}</b>
        <span class="path">{escapeControls(pathOf(request.url))}</span>
        <span class="status">{answer?.status ?? 'no response'}</span>
        <span class="took">{duration(durationMs)}</span>
      </button>
      {isOpen && <Exchange exchange={exchange} />}
    </div>
  );
}

const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '');
