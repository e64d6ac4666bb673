/** Sets the status of a resource, and deletes it. */
import type { ResourceView } from '../../control/views.ts';
import { ConfirmButton } from './confirm-button.tsx';
import { valuesOf } from './form-values.ts';
import { useMock } from './mock-state.ts';
import { manage } from './manage.ts';
import { requestJson } from './send-request.ts';

export function ResourceActions({ resource }: { resource: ResourceView }) {
  const { act, target } = useMock();
  const { home, collection, name } = resource;
  const remove = () =>
    act(() => manage(target, 'DELETE', `${collection}/${encodeURIComponent(name)}`, home), `${name} was deleted.`);
  return (
    <div class="actions">
      <StatusForm resource={resource} />
      <ConfirmButton
        label="Delete…"
        about={name}
        title={`Delete ${name}?`}
        confirm="Delete"
        action={() => void remove()}
      >
        Sends DELETE /{collection}/{name} as the admin of the account.
      </ConfirmButton>
    </div>
  );
}

/** Only for a resource that has a deployment: it then ends with this status. */
function StatusForm({ resource: { home, collection, name, status } }: { resource: ResourceView }) {
  const { act } = useMock();
  if (status === null || status === 'DELETING') return null;
  const set = (event: SubmitEvent): void => {
    const outcome = valuesOf(event);
    const query = new URLSearchParams({ workspace: home });
    void act(
      () => requestJson(`deployments/${collection}/${name}?${query}`, 'PUT', outcome),
      `The status of ${name} is ${outcome['status']}.`,
    );
  };
  return (
    <form class="status-form" aria-label={`Status of ${name}`} onSubmit={set}>
      <label>
        Status
        <select name="status">
          <option>DEPLOYED</option>
          <option>FAILED</option>
        </select>
      </label>
      <label>
        Message of the event
        <input name="message" placeholder="Optional" />
      </label>
      <button>Set the status</button>
    </form>
  );
}
