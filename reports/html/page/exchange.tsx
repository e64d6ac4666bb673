/** A request and its answer side by side; what is not as expected is marked. */
import type { Counterexample, ExchangeRecord, HeaderRecord } from '../../../spec/verdicts.ts';
import { printable } from '../../printable.ts';
import { Body } from './body.tsx';
import { isStrangeLine, isStrangeStatus } from './counterexample.ts';
import { duration } from './format.ts';

interface Props {
  exchange: ExchangeRecord;
  /** Left out where the exchange stands among those of its rule. */
  rule?: string;
  /** Given where the exchange is the one that broke a rule. */
  counterexample?: Counterexample;
  strange?: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

export function Exchange(props: Props) {
  return (
    <div class="exchange">
      <Request {...props} />
      <Answer {...props} />
    </div>
  );
}

function Request({ exchange, rule }: Props) {
  const { number, request, requirement } = exchange;
  return (
    <div class="message">
      <p class="label">
        Request {number}
        {rule !== undefined && rule !== requirement && `, sent ${purposeOf(exchange)}`}
      </p>
      <p class="first-line">
        <b>{printable(request.method)}</b> {printable(request.url)}
      </p>
      <Headers headers={request.headers} />
      <Body text={request.body} isMarked={() => false} name={`request ${number}`} />
    </div>
  );
}

const purposeOf = ({ requirement }: ExchangeRecord): string =>
  requirement === undefined ? 'by the run for itself' : `for ${requirement}`;

function Answer({ exchange, counterexample, strange = nothing }: Props) {
  const { number, answer, failure, durationMs } = exchange;
  const isStrange = answer !== null && counterexample !== undefined && isStrangeStatus(answer, counterexample, strange);
  const status = answer?.status ?? printable(failure ?? 'no answer');
  return (
    <div class="message">
      <p class="label">
        Answer <span class="took">{duration(durationMs)}</span>
      </p>
      <p class="first-line">{answer === null || isStrange ? <mark>{status}</mark> : <b>{status}</b>}</p>
      {answer !== null && <Headers headers={answer.headers} />}
      <Body
        text={answer?.body ?? null}
        isMarked={(line) => isStrangeLine(line, exchange, strange)}
        name={`answer ${number}`}
      />
      <Findings exchange={exchange} />
    </div>
  );
}

function Findings({ exchange: { findings, oracle = [] } }: Props) {
  const all = [...findings.map((each) => ({ ...each, by: '' })), ...oracle.map((each) => ({ ...each, by: 'Prism: ' }))];
  if (all.length === 0) return null;
  return (
    <ul class="findings">
      {all.map(({ by, at, says }, index) => (
        <li key={index}>
          {by}
          <code>{printable(at) || 'the body'}</code> {printable(says)}
        </li>
      ))}
    </ul>
  );
}

function Headers({ headers }: { headers: HeaderRecord }) {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value) => `${name}: ${value}`),
  );
  if (lines.length === 0) return null;
  return <pre class="headers">{lines.map((line) => printable(line)).join('\n')}</pre>;
}
