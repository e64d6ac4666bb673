/** The fault rules with their counts, and a form that adds one. */
import type { FaultRule } from '../../../pipeline/rule-formats.ts';
import { ErrorResponse, requestJson } from './send-request.ts';
import { FaultForm } from './fault-form.tsx';
import { describeMatch } from './match-fields.tsx';
import { useMock } from './mock-state.ts';
import { counted } from './format.ts';

export function Faults() {
  const { faults, act } = useMock();
  const { rules, counts } = faults;
  const put = (next: () => readonly FaultRule[], message: string) =>
    act(async () => requestJson('faults', 'PUT', { rules: next() }).catch(rejectInForm), message);
  return (
    <>
      {rules.length === 0 ? (
        <p>This world has no fault rules. Rules draw from the seed, so a run with faults is reproducible.</p>
      ) : (
        <ol class="rows">
          {rules.map((rule, index) => (
            <RuleRow
              key={index}
              rule={rule}
              number={index + 1}
              count={counts[index]}
              remove={() => void put(() => rules.toSpliced(index, 1), 'The rule was removed.')}
            />
          ))}
        </ol>
      )}
      <FaultForm
        add={(rule) => put(() => [...rules, rule()], 'The rule was added. All rules restart their random sequences.')}
      />
    </>
  );
}

/** The form has fields, no list of rules. */
function rejectInForm(error: unknown): never {
  if (!(error instanceof ErrorResponse)) throw error;
  throw new ErrorResponse(error.status, error.message.replace(/^rules\[\d+\]\.?/, '').trim());
}

interface RowProps {
  rule: FaultRule;
  /** Counted from 1. */
  number: number;
  count: { readonly fired: number; readonly matched: number } | undefined;
  remove: () => void;
}

function RuleRow({ rule, number, count, remove }: RowProps) {
  return (
    <li class="rule">
      <span>
        <strong>{number}.</strong> {effectOf(rule)}{' '}
        <span class="soft">
          on {matchOf(rule)}
          {howOften(rule)}
        </span>
      </span>
      <span class="soft">
        {counted(count?.fired ?? 0, 'request')} affected of {count?.matched ?? 0}
      </span>
      <button type="button" aria-label={`Remove rule ${number}`} onClick={remove}>
        Remove
      </button>
    </li>
  );
}

function effectOf({ status, delayMs, cut, brokenJson, bytesPerSecond }: FaultRule): string {
  const effects = [
    ...(delayMs === undefined ? [] : [`delay by ${delayOf(delayMs)}`]),
    ...(status === undefined ? [] : [`respond with ${status}`]),
    ...(cut === undefined ? [] : [`cut the connection ${cut} the ${cut === 'during' ? 'response' : 'effect'}`]),
    ...(brokenJson === true ? ['break the JSON'] : []),
    ...(bytesPerSecond === undefined ? [] : [`send ${bytesPerSecond} bytes a second`]),
  ];
  const text = effects.join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function delayOf(delayMs: NonNullable<FaultRule['delayMs']>): string {
  return typeof delayMs === 'number' ? `${delayMs} ms` : `${delayMs.p50} ms (p50), ${delayMs.p99} ms (p99)`;
}

/** `headers` and `status` of a rule are those of the response. */
function matchOf({ headers: _headers, status: _status, ...match }: FaultRule): string {
  return describeMatch(match);
}

function howOften({ every, probability, times }: FaultRule): string {
  return [
    ...(every === undefined ? [] : [`, 1 of every ${every}`]),
    ...(probability === undefined ? [] : [`, with probability ${probability}`]),
    ...(times === undefined ? [] : [`, at most ${counted(times, 'time')}`]),
  ].join('');
}
