/** Reads and changes JSON by a path of member names, with `[]` for each element of a list: `spec.triggers[].id`. */
import { isObject } from '../../spec/json-object.ts';

const partsOf = (path: string): string[] => (path === '' ? [] : path.split(/\.|(?=\[\])/));

/** Undefined removes a member or element. Absent members remain absent. */
export const editAt = (value: unknown, path: string, edit: (value: unknown) => unknown): unknown =>
  editParts(value, partsOf(path), edit);

function editParts(value: unknown, [name, ...rest]: readonly string[], edit: (value: unknown) => unknown): unknown {
  if (name === undefined) return edit(value);
  if (name === '[]')
    return Array.isArray(value)
      ? value.map((element) => editParts(element, rest, edit)).filter((element) => element !== undefined)
      : value;
  if (!isObject(value) || !Object.hasOwn(value, name)) return value;
  const { [name]: inner, ...others } = value;
  const changed = editParts(inner, rest, edit);
  return changed === undefined ? others : { ...value, [name]: changed };
}

/** Undefined if there is none; of the first element of a list. */
export const valueAt = (value: unknown, path: string): unknown =>
  partsOf(path).reduce<unknown>((inner, name) => {
    if (name === '[]') return Array.isArray(inner) ? (inner[0] as unknown) : undefined;
    return isObject(inner) ? inner[name] : undefined;
  }, value);
