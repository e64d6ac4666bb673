/** The virtual clock and its controls, and the reset of the world. */
import { useState } from 'preact/hooks';
import { ConfirmButton } from './confirm-button.tsx';
import { requestJson } from './send-request.ts';
import { useMock } from './mock-state.ts';
import { day } from './format.ts';

const steps = [
  { label: '+1 s', words: 'one second', ms: 1000 },
  { label: '+1 min', words: 'one minute', ms: 60_000 },
  { label: '+1 h', words: 'one hour', ms: 3_600_000 },
  { label: '+1 d', words: 'one day', ms: 86_400_000 },
] as const;

export function ClockBar() {
  const { clock, act } = useMock();
  const [isSetting, setSetting] = useState(false);
  const isFrozen = clock.mode === 'frozen';
  const change = (body: object, message: string) => act(() => requestJson('clock', 'PUT', body), message);
  return (
    <section class="clock" aria-label="Clock and reset of the world">
      <p>
        <time dateTime={clock.now}>{day(clock.now)}</time> <span class="soft">UTC, {clock.mode}</span>
      </p>
      <div class="buttons">
        <button
          type="button"
          onClick={() =>
            void change(
              { mode: isFrozen ? 'running' : 'frozen' },
              isFrozen ? 'The clock is running.' : 'The clock is frozen.',
            )
          }
        >
          {isFrozen ? 'Run' : 'Freeze'}
        </button>
        {steps.map(({ label, words, ms }) => (
          <button
            key={label}
            type="button"
            onClick={() => void change({ advanceMs: ms }, `The clock was advanced by ${words}.`)}
          >
            <span class="spoken">Advance </span>
            {label}
          </button>
        ))}
        <button type="button" aria-expanded={isSetting} onClick={() => setSetting(!isSetting)}>
          Set…
        </button>
      </div>
      <ConfirmButton
        label="Reset…"
        title="Reset this world?"
        confirm="Reset the world"
        action={() => void act(() => requestJson('reset', 'POST'), 'The world was reset.')}
      >
        Restores the initial state, including the clock, empties the journal and removes all fault rules.
      </ConfirmButton>
      {isSetting && (
        <SetClock
          now={clock.now}
          set={async (now) => (await change({ now }, 'The clock was set.')) && setSetting(false)}
        />
      )}
    </section>
  );
}

/** The field is prefilled with the time at which the form was opened. */
function SetClock({ now, set }: { now: string; set: (now: string) => unknown }) {
  const [time, setTime] = useState(now);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void set(time);
  };
  return (
    <form class="set-clock" onSubmit={submit}>
      <label>
        Time (RFC 3339)
        <input value={time} onInput={({ currentTarget }) => setTime(currentTarget.value)} required />
      </label>
      <button class="main">Set the clock</button>
    </form>
  );
}
