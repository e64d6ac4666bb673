/**
 * Turns tables of faults into deviations. To add a deviation:
 * 1. Find the table of its rule (`grep -rn "'<rule id>'" mock/deviations`), or write the rule id into the file of its topic.
 * 2. Add a row: what the faulty mock does, and the effect, after a condition if it does not affect all requests.
 *    A fault that servers have only for some callers, headers, pages or resolutions is written once, `across` these conditions.
 * 3. Run `npm run teeth -- --only '<rule id>*'`: the case of that rule must fail.
 */
import type { MustId } from '../../spec/requirements/index.ts';
import { all, always, type Condition } from './conditions.ts';
import type { Deviation, Deviations, Effect } from './deviation.ts';

export type Row = Effect | readonly [Condition, Effect];

/** By what the faulty mock does, in the present tense: "accepts a fourth dimension". */
export type Rows = { readonly [what: string]: Row };

export type Table = { readonly [Id in MustId]?: Rows };

/** Each fault under each condition, whose name ends its sentence; `always` leaves it as it is. */
export function across(conditions: readonly Condition[], faults: Rows): Rows {
  const rows = Object.entries(faults).flatMap(([what, row]) =>
    conditions.map((condition) =>
      condition === always ? [what, row] : [`${what} ${condition.name}`, under(condition, row)],
    ),
  );
  return Object.fromEntries(rows);
}

const under = (condition: Condition, row: Row): Row =>
  'wrap' in row ? [condition, row] : [all(condition, row[0]), row[1]];

/** All rows of several tables. Throws if a rule has one twice, which spreading would drop silently. */
export function merged(...tables: readonly Table[]): Table {
  const rules: Partial<Record<MustId, Record<string, Row>>> = {};
  for (const [rule, rows] of tables.flatMap((table) => Object.entries(table) as [MustId, Rows][])) {
    const known = (rules[rule] ??= {});
    for (const [what, row] of Object.entries(rows)) {
      if (Object.hasOwn(known, what)) throw new Error(`"${what}" of ${rule} is given twice.`);
      known[what] = row;
    }
  }
  return rules;
}

/** The first row of a rule has the id of the rule; the others have their sentence behind a slash. */
export function deviationsOf(table: Table): Deviations {
  const deviations: Record<string, Deviation> = {};
  for (const [rule, rows] of Object.entries(table)) {
    for (const [at, [what, row]] of Object.entries(rows).entries()) {
      const id = at === 0 ? rule : `${rule}/${slug(what)}`;
      if (Object.hasOwn(deviations, id)) throw new Error(`Two deviations have the id ${id}.`);
      deviations[id] = deviationOf(what, row);
    }
  }
  return deviations;
}

const slug = (what: string): string =>
  what
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

function deviationOf(what: string, row: Row): Deviation {
  const [condition, effect] = 'wrap' in row ? [always, row] : row;
  return {
    what: what.charAt(0).toUpperCase() + what.slice(1),
    effect: effect.kind,
    condition: effect.condition ?? condition.name,
    wrap: (app) => effect.wrap(app, (ctx) => condition.holds(ctx)),
  };
}
