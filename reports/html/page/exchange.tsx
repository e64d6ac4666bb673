/** A request and its response side by side; what is unexpected is marked. */
import type { Counterexample, ExchangeRecord, HeaderRecord } from '../../../spec/verdicts.ts';
import { escapeControls } from '../../printable.ts';
import { Body } from './body.tsx';
import { annotateLines } from './annotate-lines.ts';
import { isUnexpectedStatus } from './counterexample.ts';
import { duration } from './format.ts';

interface Props {
  exchange: ExchangeRecord;
  /** Omitted in the list of the rule's own exchanges. */
  rule?: string;
  /** Set for the exchange that violated a rule. */
  counterexample?: Counterexample;
  unexpected?: ReadonlySet<string>;
}

const noWords: ReadonlySet<string> = new Set();

export function Exchange(props: Props) {
  return (
    <div class="exchange">
      <Request {...props} />
      <Response {...props} />
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
        <b>{escapeControls(request.method)}</b> {escapeControls(request.url)}
      </p>
      <Headers headers={request.headers} />
      <Body text={request.body} annotate={(lines) => annotateLines(lines, [])} name={`request ${number}`} />
    </div>
  );
}

const purposeOf = ({ requirement }: ExchangeRecord): string =>
  requirement === undefined ? 'by the run itself' : `for ${requirement}`;

function Response({ exchange, counterexample, unexpected = noWords }: Props) {
  const { number, answer, failure, durationMs } = exchange;
  const isUnexpected =
    answer !== null && counterexample !== undefined && isUnexpectedStatus(answer, counterexample, unexpected);
  const status = answer?.status ?? escapeControls(failure ?? 'no response');
  return (
    <div class="message">
      <p class="label">
        Response <span class="took">{duration(durationMs)}</span>
      </p>
      <p class="first-line">{answer === null || isUnexpected ? <mark>{status}</mark> : <b>{status}</b>}</p>
      {answer !== null && <Headers headers={answer.headers} />}
      <Body
        text={answer?.body ?? null}
        annotate={(lines) => annotateLines(lines, exchange.findings, counterexample)}
        name={`response ${number}`}
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
          <code>{escapeControls(at) || 'the body'}</code> {escapeControls(says)}
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
  return <pre class="headers">{lines.map((line) => escapeControls(line)).join('\n')}</pre>;
}
