/** The kinds of resources, with the paths of their collections. */
import { documentOf } from '../../../spec/documents.ts';
import { kindIds, kinds } from '../../domains/resources/kinds.ts';
import type { Kind } from '../../domains/resources/kind.ts';
import type { KindFacts } from '../control/views.ts';

export function kindFacts(): KindFacts[] {
  const { paths } = documentOf('management');
  return kindIds.map((id) => {
    const path = templateOf(kinds[id]);
    return { kind: kinds[id].noun, path, isCreatable: paths[`/${path}`]?.post !== undefined };
  });
}

function templateOf({ collection, parent }: Kind): string {
  if (parent === undefined) return collection;
  return `${templateOf(kinds[parent])}/{${kinds[parent].param}}/${collection}`;
}
