/** The field for the operation of a new rule or script: an id of the documents, or empty for every request. */
import { useMock } from './mock-state.ts';

/** `list`: the id of its suggestions, unique in the page. */
export function OperationField({ list }: { list: string }) {
  const { facts } = useMock();
  return (
    <label>
      Operation
      <input name="operation" list={list} placeholder="Every request" />
      <datalist id={list}>
        {facts.operations.map((id) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </label>
  );
}
