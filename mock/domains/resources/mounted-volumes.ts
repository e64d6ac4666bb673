/** The volumes that a workload mounts. */
import { isObject, type JsonObject } from '../../http/json-object.ts';

/** Their names. */
export function mountedVolumes({ volumes }: JsonObject): string[] {
  const attachments: readonly unknown[] = Array.isArray(volumes) ? volumes : [];
  const names = attachments.map((volume) => (isObject(volume) ? volume['name'] : undefined));
  return names.filter((name) => typeof name === 'string');
}
