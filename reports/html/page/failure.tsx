/** A counterexample: expected beside actual, the exchange that shows it, and how to send it again. */
import type { Counterexample, ExchangeRecord } from '../../../spec/verdicts.ts';
import { printable } from '../../printable.ts';
import { CopyButton } from './copy-button.tsx';
import { shownExchanges, strangeWords } from './counterexample.ts';
import { Exchange } from './exchange.tsx';
import { compareWords } from './words.ts';
import type { Word } from './words.ts';

interface Props {
  id: string;
  counterexample: Counterexample;
  exchanges: readonly ExchangeRecord[];
}

export function Failure({ id, counterexample, exchanges }: Props) {
  const { expected, actual } = counterexample;
  const { left, right } = compareWords(expected, actual);
  const shown = shownExchanges(counterexample, exchanges);
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
      {shown.map((exchange, index) => (
        <Exchange
          key={exchange.number}
          exchange={exchange}
          rule={id}
          {...(index === shown.length - 1 ? { counterexample, strange: strangeWords(counterexample) } : {})}
        />
      ))}
    </>
  );
}

export function Repeat({ counterexample, replay }: { counterexample: Counterexample; replay: string }) {
  const { input, seed, path, curl } = counterexample;
  const text = JSON.stringify(input);
  return (
    <>
      {text !== '{}' && (
        <Line title={path === '' ? 'Input' : `Smallest input found (seed ${seed}, path ${path})`} text={text} />
      )}
      {curl !== '' && <Line title="Send it again" text={curl} />}
      <Line title="Try the rule again" text={replay} />
    </>
  );
}

const Words = ({ words }: { words: readonly Word[] }) =>
  words.map(({ text, differs }, index) => (differs ? <mark key={index}>{printable(text)}</mark> : printable(text)));

function Line({ title, text }: { title: string; text: string }) {
  return (
    <div class="line">
      <p class="label">{title}</p>
      <CopyButton text={text} what={title} />
      <pre>{printable(text, { lineEnds: true })}</pre>
    </div>
  );
}
