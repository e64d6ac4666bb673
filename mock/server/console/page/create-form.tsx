/** Creates a resource with a body that starts as the example of the documents. */
import { useEffect, useState } from 'preact/hooks';
import type { KindFacts } from '../../control/views.ts';
import { exampleBody } from './example-body.ts';
import { valuesOf } from './form-values.ts';
import type { Values } from './form-values.ts';
import { manage } from './manage.ts';
import { useMock } from './mock-state.ts';

export function CreateForm({ kind: { kind, path }, close }: { kind: KindFacts; close: () => void }) {
  const { act, resources, target } = useMock();
  const [body, setBody] = useState<string>();
  useEffect(() => {
    exampleBody(path).then(setBody, () => setBody('{}')); // Without the example, the form still works.
  }, [path]);
  const workspaces = resources.filter((resource) => resource.kind === 'Workspace').map(({ name }) => name);
  const create = async (event: SubmitEvent): Promise<void> => {
    const { workspace = '', ...parents } = valuesOf(event);
    const created = await act(
      () => manage(target, 'POST', fillPath(path, parents), workspace, body ?? '{}'),
      `${kind} created in ${workspace}.`,
    );
    if (created) close();
  };
  return (
    <form class="panel" aria-label={`New ${kind}`} onSubmit={(event) => void create(event)}>
      <h2>
        New {kind} <code class="soft">POST /{path}</code>
      </h2>
      <div class="fields">
        <label>
          Workspace
          <select name="workspace" defaultValue={target.workspace ?? ''}>
            {workspaces.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
        {parametersOf(path).map((parameter) => (
          <label key={parameter}>
            {parameter}
            <input name={parameter} required />
          </label>
        ))}
      </div>
      <label>
        Body (JSON)
        <textarea
          rows={Math.min(20, (body ?? '').split('\n').length + 1)}
          spellcheck={false}
          disabled={body === undefined}
          value={body ?? ''}
          onInput={({ currentTarget }) => setBody(currentTarget.value)}
        />
      </label>
      <div class="buttons">
        <button class="main" disabled={body === undefined}>
          Create
        </button>
        <button type="button" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** The parameters of `sandboxes/{sandboxName}/previews` are `sandboxName`. */
const parametersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

const fillPath = (path: string, values: Values): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
