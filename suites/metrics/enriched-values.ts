/** What names and ids of instances are of: an enriched value is the one of something that the entry is about. */
import type { Run } from '../conforms.ts';
import type { Flaw } from '../violation.ts';
import { dimensionsFor } from './dimensions.ts';
import type { Dimension } from './dimensions.ts';
import { enrichmentOf, fieldOf, keyOf, requestedFields, valueOf } from './entries.ts';
import type { Entry, Field } from './entries.ts';
import { entriesOf, pagesOf } from './pages.ts';
import { pastWindow } from './windows.ts';

/** A dimension whose groups are of something that has the enriched field, and the values of both that stand together. */
interface Together {
  readonly by: Dimension;
  readonly field: Field;
  readonly keys: ReadonlySet<string>;
}

/** As groupings by both have them in the whole of the past window: few groups of a name tell of all that has it. */
export async function knownTogether(run: Run): Promise<Together[]> {
  const past = { ...pastWindow(run), resolution: 'monthly' };
  const known: Together[] = [];
  for (const by of ['resource_name', 'resource_uuid'] as const) {
    for (const other of dimensionsFor(run).filter((dimension) => enrichmentOf[by].includes(fieldOf[dimension]))) {
      const entries = entriesOf(await pagesOf(run, { ...past, groupBy: `${by},${other}` }));
      const field = fieldOf[other];
      known.push({ by, field, keys: new Set(entries.map((entry) => keyOf(entry, [fieldOf[by], field]))) });
    }
  }
  return known;
}

/** One name may be that of several things (decision 007): a value of any of them will do, and each field is looked at alone. */
export function untrueFields(entry: Entry, set: readonly Dimension[], known: readonly Together[]): Flaw[] {
  const isEnriched = ({ by, field }: Together): boolean =>
    [fieldOf[by], field].every((each) => valueOf(entry, each) !== '') &&
    set.includes(by) &&
    !requestedFields(set).includes(field);
  if (!(entry.summary.cost > 0)) return [];
  return known
    .filter(
      (together) => isEnriched(together) && !together.keys.has(keyOf(entry, [fieldOf[together.by], together.field])),
    )
    .map(({ by, field }) => ({
      expected: `a ${field} that something of this ${fieldOf[by]} has`,
      actual: valueOf(entry, field),
    }));
}
