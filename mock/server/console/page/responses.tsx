/** The scripted responses with their counts, and a form that adds a script. */
import type { ScriptedResponse } from '../../../pipeline/rule-formats.ts';
import { counted } from './format.ts';
import { valuesOf, type Values } from './form-values.ts';
import { describeMatch, MatchFields, matchOf } from './match-fields.tsx';
import { useMock } from './mock-state.ts';
import { requestJson } from './send-request.ts';

export function Responses() {
  const { responses, act } = useMock();
  const { responses: scripts, counts } = responses;
  const put = (next: () => readonly ScriptedResponse[], message: string) =>
    act(async () => requestJson('responses', 'PUT', { responses: next() }), message);
  return (
    <>
      {scripts.length === 0 ? (
        <p>This world has no scripted responses. The first script that matches a request responds.</p>
      ) : (
        <ol class="rows">
          {scripts.map((script, index) => (
            <li class="rule" key={index}>
              <span>
                <strong>{index + 1}.</strong> {sequenceOf(script)}{' '}
                <span class="soft">on {describeMatch(script.match ?? {})}</span>
              </span>
              <span class="soft">{counted(counts[index]?.used ?? 0, 'response')} sent</span>
              <button
                type="button"
                aria-label={`Remove script ${index + 1}`}
                onClick={() =>
                  void put(() => scripts.toSpliced(index, 1), 'The script was removed. All sequences restart.')
                }
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
      )}
      <ScriptForm add={(script) => put(() => [...scripts, script()], 'The script was added. All sequences restart.')} />
    </>
  );
}

function sequenceOf({ sequence, afterwards = 'last' }: ScriptedResponse): string {
  const steps = sequence.map(({ status, cut }) => (cut === undefined ? String(status ?? 'the operation') : 'cut'));
  return `${steps.join(', ')}, then ${afterwards === 'last' ? 'the last again' : afterwards}`;
}

function ScriptForm({ add }: { add: (script: () => ScriptedResponse) => Promise<boolean> }) {
  const submit = (event: SubmitEvent): void => {
    const values = valuesOf(event);
    void add(() => scriptOf(values));
  };
  return (
    <form class="panel" aria-label="New script" onSubmit={submit}>
      <h2>New script</h2>
      <div class="fields">
        <MatchFields list="scripted-operations" />
        <label>
          Statuses, in order
          <input name="statuses" defaultValue="503, 429" required />
        </label>
        <label>
          Afterwards
          <select name="afterwards">
            <option value="last">The last response again</option>
            <option value="restart">The sequence again</option>
            <option value="operation">Responses of the operation</option>
          </select>
        </label>
      </div>
      <button class="main">Add the script</button>
    </form>
  );
}

/** The mock validates the values. */
function scriptOf({ statuses = '', afterwards, ...values }: Values): ScriptedResponse {
  return {
    match: matchOf(values),
    sequence: statuses.split(',').map((status) => ({ status: Number(status) })),
    afterwards,
  } as ScriptedResponse;
}
