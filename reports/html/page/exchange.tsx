/** A request and its answer side by side; what is not as expected is marked. */
import type { Counterexample, ExchangeRecord, HeaderRecord } from '../../../spec/verdicts.ts';
import { printable } from '../../printable.ts';
import { isStrangeLine, isStrangeStatus } from './counterexample.ts';
import { readJson } from './cut-json.ts';
import { jsonLines } from './json-lines.ts';
import type { JsonLine } from './json-lines.ts';
import { duration } from './shown.ts';

interface Props {
  exchange: ExchangeRecord;
  /** Given where the exchange is the one that broke a rule. */
  counterexample?: Counterexample;
  strange?: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

export function Exchange({ exchange, counterexample, strange = nothing }: Props) {
  const { number, request, answer, failure, durationMs, findings, oracle = [] } = exchange;
  const isStrange = answer !== null && counterexample !== undefined && isStrangeStatus(answer, counterexample, strange);
  return (
    <div class="exchange">
      <div class="message">
        <p class="label">Request {number}</p>
        <p class="first-line">
          <b>{printable(request.method)}</b> {printable(request.url)}
        </p>
        <Headers headers={request.headers} />
        <Body text={request.body} isMarked={() => false} name={`request ${number}`} />
      </div>
      <div class="message">
        <p class="label">
          Answer <span class="took">{duration(durationMs)}</span>
        </p>
        <p class="first-line">
          {answer === null ? (
            <mark>{printable(failure ?? 'no answer')}</mark>
          ) : isStrange ? (
            <mark>{answer.status}</mark>
          ) : (
            <b>{answer.status}</b>
          )}
        </p>
        {answer !== null && <Headers headers={answer.headers} />}
        <Body
          text={answer?.body ?? null}
          isMarked={(line) => isStrangeLine(line, exchange, strange)}
          name={`answer ${number}`}
        />
        {findings.length + oracle.length > 0 && (
          <ul class="findings">
            {findings.map(({ at, says }, index) => (
              <li key={index}>
                <code>{printable(at) || 'the body'}</code> {printable(says)}
              </li>
            ))}
            {oracle.map(({ at, says }, index) => (
              <li key={`oracle ${index}`}>
                Prism: <code>{printable(at) || 'the body'}</code> {printable(says)}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Headers({ headers }: { headers: HeaderRecord }) {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  if (lines.length === 0) return null;
  return <pre class="headers">{lines.map((line) => printable(line)).join('\n')}</pre>;
}

interface BodyProps {
  text: string | null;
  isMarked: (line: JsonLine) => boolean;
  name: string;
}

function Body({ text, isMarked, name }: BodyProps) {
  if (text === null) return null;
  const json = readJson(text);
  return (
    <pre class="body" tabIndex={0} role="group" aria-label={`Body of ${name}`}>
      {json === undefined
        ? printable(text, { lineEnds: true })
        : jsonLines(json.value).map((line, index) => <Line key={index} line={line} isMarked={isMarked(line)} />)}
      {json?.whole === false && <span class="cut">… the rest is left out</span>}
    </pre>
  );
}

function Line({ line: { depth, text }, isMarked }: { line: JsonLine; isMarked: boolean }) {
  return (
    <>
      {'  '.repeat(depth)}
      {isMarked ? <mark>{printable(text)}</mark> : printable(text)}
      {'\n'}
    </>
  );
}
