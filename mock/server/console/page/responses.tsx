/** The scripted responses with their counts, and a form that adds a script. */
import type { ScriptedResponse } from '../../../pipeline/rule-formats.ts';
import { counted } from './format.ts';
import { valuesOf, type Values } from './form-values.ts';
import { useMock } from './mock-state.ts';
import { OperationField } from './operation-field.tsx';
import { requestJson } from './send-request.ts';

export function Responses() {
  const { responses, act } = useMock();
  const { responses: scripts, counts } = responses;
  const put = (next: readonly ScriptedResponse[], message: string) =>
    act(() => requestJson('responses', 'PUT', { responses: next }), message);
  return (
    <>
      {scripts.length === 0 ? (
        <p>This world has no scripted responses. The first script that matches a request responds.</p>
      ) : (
        <ol class="rows">
          {scripts.map((script, index) => (
            <li class="rule" key={index}>
              <span>
                <strong>{index + 1}.</strong> {sequenceOf(script)} <span class="soft">on {matchOf(script)}</span>
              </span>
              <span class="soft">{counted(counts[index]?.used ?? 0, 'response')} sent</span>
              <button
                type="button"
                aria-label={`Remove script ${index + 1}`}
                onClick={() => void put(scripts.toSpliced(index, 1), 'The script was removed. All sequences restart.')}
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
      )}
      <ScriptForm add={(script) => put([...scripts, script], 'The script was added. All sequences restart.')} />
    </>
  );
}

function sequenceOf({ sequence, afterwards = 'last' }: ScriptedResponse): string {
  const steps = sequence.map(({ status, cut }) => (cut === undefined ? String(status ?? 'the operation') : 'cut'));
  return `${steps.join(', ')}, then ${afterwards === 'last' ? 'the last again' : afterwards}`;
}

function matchOf({ match = {} }: ScriptedResponse): string {
  const { operation, method, path, headers, body } = match;
  const parts = [operation, method, path, headers && JSON.stringify(headers), body && JSON.stringify(body)];
  return parts.filter((part) => part !== undefined).join(' ') || 'every request';
}

function ScriptForm({ add }: { add: (script: ScriptedResponse) => Promise<boolean> }) {
  return (
    <form class="panel" aria-label="New script" onSubmit={(event) => void add(scriptOf(valuesOf(event)))}>
      <h2>New script</h2>
      <div class="fields">
        <OperationField list="scripted-operations" />
        <label>
          Path, with * as a wildcard
          <input name="path" placeholder="/v0/agents/*" />
        </label>
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
function scriptOf({ operation, path, statuses = '', afterwards }: Values): ScriptedResponse {
  return {
    match: { ...(operation !== undefined && { operation }), ...(path !== undefined && { path }) },
    sequence: statuses.split(',').map((status) => ({ status: Number(status) })),
    afterwards,
  } as ScriptedResponse;
}
