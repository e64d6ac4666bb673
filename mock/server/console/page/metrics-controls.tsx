/** Grouping, resolution and window of the metrics. */
import type { Question, WindowName } from './metrics-request.ts';
import { windows } from './metrics-request.ts';
import { useMock } from './mock-state.ts';

const MOST_DIMENSIONS = 3;

interface Props {
  question: Question;
  change: (part: Partial<Question>) => void;
  again: () => void;
}

export function MetricsControls({ question, change, again }: Props) {
  const { facts } = useMock();
  const { groupBy, resolution, window } = question;
  const toggle = (dimension: string): void =>
    change({
      groupBy: groupBy.includes(dimension) ? groupBy.filter((each) => each !== dimension) : [...groupBy, dimension],
    });
  return (
    <div class="panel controls">
      <fieldset>
        <legend>Group by, up to {MOST_DIMENSIONS}</legend>
        <div class="checks">
          {facts.groupBy.map((dimension) => (
            <label key={dimension} class="check">
              <input
                type="checkbox"
                checked={groupBy.includes(dimension)}
                disabled={groupBy.length >= MOST_DIMENSIONS && !groupBy.includes(dimension)}
                onChange={() => toggle(dimension)}
              />
              {dimension}
            </label>
          ))}
        </div>
      </fieldset>
      <div class="fields">
        <label>
          Resolution
          <select value={resolution} onChange={({ currentTarget }) => change({ resolution: currentTarget.value })}>
            <option value="">Picked by the mock</option>
            {facts.resolutions.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          Window
          <select
            value={window}
            onChange={({ currentTarget }) => change({ window: currentTarget.value as WindowName })}
          >
            {Object.entries(windows).map(([name, { title }]) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {window === 'own' && <OwnDates question={question} change={change} />}
        <button type="button" onClick={again}>
          Ask again
        </button>
      </div>
    </div>
  );
}

function OwnDates({ question: { start, end }, change }: Pick<Props, 'question' | 'change'>) {
  return (
    <>
      <label>
        From
        <input
          type="date"
          value={start}
          required
          onChange={({ currentTarget: { value } }) => value && change({ start: value })}
        />
      </label>
      <label>
        To, exclusive
        <input
          type="date"
          value={end}
          required
          onChange={({ currentTarget: { value } }) => value && change({ end: value })}
        />
      </label>
    </>
  );
}
