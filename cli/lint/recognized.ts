/** What lint recognizes in a document, and why: its resources, and the collections without one. */
import type { Model } from '../../spec/ruleset/document/model.mjs';
import { describeNoResource } from '../../spec/ruleset/document/resources.mjs';
import type { Segment } from '../../spec/ruleset/document/place.mjs';
import type { Recognized } from './finding.ts';

export const nothingRecognized: Recognized = { resources: [], collections: [] };

export function recognizedIn({ resources, collections }: Model): Recognized {
  return {
    resources: resources.map(({ schema: [{ path }], name, reason }) => ({
      name: name ?? String(path.at(-1)),
      pointer: pointerTo(path),
      reason,
    })),
    collections: collections.map((collection) => {
      const noResourceReason = describeNoResource(collection, resources);
      return {
        path: collection.template,
        operations: collection.operations.map(({ role, operation }) => `${role} ${operation.name}`),
        ...(noResourceReason !== undefined && { noResourceReason }),
      };
    }),
  };
}

/** JSON Pointer (RFC 6901). */
export const pointerTo = (path: readonly Segment[]): string =>
  path.map((each) => `/${String(each).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
