/** Grouping, resolution and window of the metrics. */
import type { MetricsQuery, WindowName } from './metrics-request.ts';
import { windows } from './metrics-request.ts';
import { useMock } from './mock-state.ts';

const MAX_DIMENSIONS = 3;

interface Props {
  query: MetricsQuery;
  change: (part: Partial<MetricsQuery>) => void;
  reload: () => void;
}

export function MetricsControls({ query, change, reload }: Props) {
  const { facts } = useMock();
  const { groupBy, resolution, window } = query;
  const toggle = (dimension: string): void =>
    change({
      groupBy: groupBy.includes(dimension) ? groupBy.filter((each) => each !== dimension) : [...groupBy, dimension],
    });
  return (
    <div class="panel controls">
      <fieldset>
        <legend>Group by, up to {MAX_DIMENSIONS}</legend>
        <div class="checks">
          {facts.groupBy.map((dimension) => (
            <label key={dimension} class="check">
              <input
                type="checkbox"
                checked={groupBy.includes(dimension)}
                disabled={groupBy.length >= MAX_DIMENSIONS && !groupBy.includes(dimension)}
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
            <option value="">Chosen by the mock</option>
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
        {window === 'custom' && <CustomDates query={query} change={change} />}
        <button type="button" onClick={reload}>
          Reload
        </button>
      </div>
    </div>
  );
}

function CustomDates({ query: { start, end }, change }: Pick<Props, 'query' | 'change'>) {
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
