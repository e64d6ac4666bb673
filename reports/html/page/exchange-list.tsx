/** Exchanges as lines that open; only so many stand in the page as are asked for. */
import { useState } from 'preact/hooks';
import type { ExchangeRecord } from '../../../spec/verdicts.ts';
import { printable } from '../../printable.ts';
import { Exchange } from './exchange.tsx';
import { count, duration } from './format.ts';

const AT_ONCE = 20;

/** `all` is how many the run made. */
export function ExchangeList({ exchanges, all }: { exchanges: readonly ExchangeRecord[]; all: number }) {
  const [isOpen, setOpen] = useState(false);
  const [most, setMost] = useState(AT_ONCE);
  if (exchanges.length === 0) return null;
  const which =
    exchanges.length < all ? `last ${count(exchanges.length)} of ${count(all)} exchanges` : `${count(all)} exchanges`;
  const newestFirst = exchanges.toReversed().slice(0, most);
  return (
    <div class="exchanges">
      <button type="button" class="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} the {which}
      </button>
      {isOpen && (
        <>
          {newestFirst.map((exchange) => (
            <Entry key={exchange.number} exchange={exchange} />
          ))}
          {most < exchanges.length && (
            <button type="button" class="quiet" onClick={() => setMost(most + AT_ONCE)}>
              Show {Math.min(AT_ONCE, exchanges.length - most)} more
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
        <b>{printable(request.method)}</b>
        <span class="path">{printable(pathOf(request.url))}</span>
        <span class="status">{answer?.status ?? 'no answer'}</span>
        <span class="took">{duration(durationMs)}</span>
      </button>
      {isOpen && <Exchange exchange={exchange} />}
    </div>
  );
}

const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '');
