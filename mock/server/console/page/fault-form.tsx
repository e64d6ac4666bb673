/** The form for a new fault rule. */
import { useState } from 'preact/hooks';
import type { FaultRule } from '../../../pipeline/rule-formats.ts';
import { numbersOf, valuesOf } from './form-values.ts';
import type { Values } from './form-values.ts';
import { MatchFields, matchOf } from './match-fields.tsx';

const effects = {
  status: 'Respond with a status',
  cutBefore: 'Cut the connection before the effect',
  cutAfter: 'Cut the connection after the effect',
  brokenJson: 'Break the JSON of the response',
  delay: 'Delay only',
} as const;

type Effect = keyof typeof effects;

/** `add` gets a function that throws if a value cannot be read. */
export function FaultForm({ add }: { add: (rule: () => FaultRule) => Promise<boolean> }) {
  const [effect, setEffect] = useState<Effect>('status');
  const submit = (event: SubmitEvent): void => {
    const values = valuesOf(event);
    void add(() => ruleOf(values, effect));
  };
  return (
    <form class="panel" aria-label="New fault rule" onSubmit={submit}>
      <h2>New rule</h2>
      <div class="fields">
        <label>
          Effect
          <select value={effect} onChange={({ currentTarget }) => setEffect(currentTarget.value as Effect)}>
            {Object.entries(effects).map(([name, title]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {effect === 'status' && (
          <label>
            Status
            <input name="status" inputMode="numeric" defaultValue="503" required />
          </label>
        )}
        <MatchFields list="operations" />
        <label>
          Delay, ms
          <input name="delayMs" inputMode="numeric" required={effect === 'delay'} />
        </label>
        <label>
          Probability
          <input name="probability" inputMode="decimal" placeholder="1" />
        </label>
        <label>
          Every nth request
          <input name="every" inputMode="numeric" placeholder="1" />
        </label>
        <label>
          Max. applications
          <input name="times" inputMode="numeric" placeholder="No limit" />
        </label>
      </div>
      <button class="main">Add the rule</button>
    </form>
  );
}

/** The mock validates the values. Throws if the query is not JSON. */
function ruleOf(values: Values, effect: Effect): FaultRule {
  return {
    ...matchOf(values),
    ...numbersOf(values, ['delayMs', 'probability', 'every', 'times']),
    ...(effect === 'status' && numbersOf(values, ['status'])),
    ...(effect === 'cutBefore' && { cut: 'before' }),
    ...(effect === 'cutAfter' && { cut: 'after' }),
    ...(effect === 'brokenJson' && { brokenJson: true }),
  } as FaultRule;
}
