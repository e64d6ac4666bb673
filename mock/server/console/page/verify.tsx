/** Checks which requests the mock received: a list of expectations, and the result of the last check. */
import type { Expectation } from '../../control/verification-format.ts';
import type { VerificationResult } from '../../control/views.ts';
import { ExpectationForm, expectationOf } from './expectation-form.tsx';
import { numbersOf, valuesOf } from './form-values.ts';
import { counted, escapeInvisible } from './format.ts';
import { describeMatch } from './match-fields.tsx';
import { useMock } from './mock-state.ts';
import type { Verification } from './use-verification.ts';

export function Verify({ verification }: { verification: Verification }) {
  const { act } = useMock();
  const { expectations, result, add, remove, check } = verification;
  return (
    <>
      {expectations.length === 0 ? (
        <p>No expectations. Add the requests that the mock must have received, or with 0 times, must not.</p>
      ) : (
        <>
          <Expectations expectations={expectations} remove={(expectation) => void remove(expectation)} />
          <CheckForm check={(options) => act(() => check(options), 'The requests were checked.')} />
        </>
      )}
      {result !== undefined && <Result result={result} />}
      <ExpectationForm
        add={(values) =>
          act(async () => add(expectationOf(values)), 'The expectation was added, and the requests were checked.')
        }
      />
    </>
  );
}

interface ExpectationsProps {
  expectations: readonly Expectation[];
  remove: (expectation: Expectation) => void;
}

function Expectations({ expectations, remove }: ExpectationsProps) {
  return (
    <ol class="rows">
      {expectations.map((expectation, index) => (
        <li class="rule" key={index}>
          <span>
            <strong>requests[{index}]</strong> {escapeInvisible(describeMatch(expectation))}
          </span>
          <span class="soft">{describeCount(expectation)}</span>
          <button type="button" aria-label={`Remove expectation ${index + 1}`} onClick={() => remove(expectation)}>
            Remove
          </button>
        </li>
      ))}
    </ol>
  );
}

/** The default is that of the mock. */
function describeCount({ times, atLeast, atMost }: Expectation): string {
  if (times !== undefined) return `exactly ${counted(times, 'time')}`;
  const min = atLeast === undefined ? [] : [`at least ${counted(atLeast, 'time')}`];
  const max = atMost === undefined ? [] : [`at most ${counted(atMost, 'time')}`];
  return [...min, ...max].join(', ') || 'at least 1 time';
}

function CheckForm({ check }: { check: (options: object) => Promise<boolean> }) {
  const submit = (event: SubmitEvent): void => {
    const values = valuesOf(event);
    void check({ ...numbersOf(values, ['wait']), inOrder: values['inOrder'] !== undefined });
  };
  return (
    <form class="panel" aria-label="Check" onSubmit={submit}>
      <div class="fields">
        <label class="check">
          <input type="checkbox" name="inOrder" />
          In this order
        </label>
        <label>
          Wait, seconds
          <input name="wait" inputMode="decimal" placeholder="0" />
        </label>
      </div>
      <button class="main">Check the requests</button>
    </form>
  );
}

function Result({ result: { verified, failures, received } }: { result: VerificationResult }) {
  return (
    <section aria-label="Result">
      <h2>{verified ? 'All expectations are met' : counted(failures.length, 'failure')}</h2>
      <Lines lines={failures} />
      {received.length > 0 && <h2>Newest requests</h2>}
      <Lines lines={received} />
    </section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="rows">
      {lines.map((line, index) => (
        <li class="rule" key={index}>
          <span>{escapeInvisible(line)}</span>
        </li>
      ))}
    </ul>
  );
}
