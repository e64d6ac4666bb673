/** A counterexample: expected and actual, the exchange, and how to reproduce it. */
import type { Counterexample, ExchangeRecord } from '../../../spec/verdicts.ts';
import { escapeControls } from '../../printable.ts';
import { simpleInput } from '../../simple-input.ts';
import { CopyButton } from './copy-button.tsx';
import { relatedExchanges, unexpectedWords } from './counterexample.ts';
import { Exchange } from './exchange.tsx';
import { diffWords } from './words.ts';
import type { Word } from './words.ts';

interface Props {
  id: string;
  counterexample: Counterexample;
  exchanges: readonly ExchangeRecord[];
}

export function Failure({ id, counterexample, exchanges }: Props) {
  const { expected, actual } = counterexample;
  const { left, right } = diffWords(expected, actual);
  const relevant = relatedExchanges(counterexample, exchanges);
  return (
    <>
      <dl class="differs">
        <div class="expected">
          <dt>Expected</dt>
          <dd>
            <Words words={left} />
          </dd>
        </div>
        <div class="actual">
          <dt>Actual</dt>
          <dd>
            <Words words={right} />
          </dd>
        </div>
      </dl>
      {relevant.map((exchange, index) => (
        <Exchange
          key={exchange.number}
          exchange={exchange}
          rule={id}
          {...(index === relevant.length - 1 ? { counterexample, unexpected: unexpectedWords(counterexample) } : {})}
        />
      ))}
    </>
  );
}

/** An input is the smallest only if shrinking was finished. */
const inputTitles = {
  finished: 'Smallest input that fails',
  stopped: 'Input that fails, smaller than the first one',
  none: 'Input that fails',
} as const;

export function Reproduce({ counterexample, replay }: { counterexample: Counterexample; replay: string }) {
  const { input, seed, path, curl, recorded, waitedSeconds, shrinking = 'none' } = counterexample;
  const text = simpleInput(input);
  return (
    <>
      {text !== undefined && (
        <Line title={path === '' ? 'Input' : `${inputTitles[shrinking]} (seed ${seed})`} text={text} />
      )}
      {waitedSeconds !== undefined && <p class="label">Waited {waitedSeconds} s for delayed effects</p>}
      {recorded === undefined ? (
        <Line title="Replay the rule" text={replay} />
      ) : (
        <Line title="Recorded in" text={recorded} />
      )}
      {curl !== '' && <Line title="Reproduce with curl" text={curl} />}
    </>
  );
}

const Words = ({ words }: { words: readonly Word[] }) =>
  words.map(({ text, differs }, index) =>
    differs ? <mark key={index}>{escapeControls(text)}</mark> : escapeControls(text),
  );

function Line({ title, text }: { title: string; text: string }) {
  return (
    <div class="line">
      <p class="label">{title}</p>
      <CopyButton text={text} what={title} />
      <pre>{escapeControls(text, { lineEnds: true })}</pre>
    </div>
  );
}
