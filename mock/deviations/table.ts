/**
 * Turns tables of rows into deviations. To add a deviation:
 * 1. Find the table of its rule (`grep -rn "'<rule id>'" mock/deviations`), or write the rule id into the file of its topic.
 * 2. Add a row under a new variant: `[what, condition, effect]`, with the conditions and effects of that area, or a deviation that a factory makes.
 *    `what` is a short present-tense sentence about the faulty mock.
 * 3. Run `npm run teeth -- --only '<rule id>*'`: the case of that rule must fail.
 */
import type { MustId } from '../../spec/requirements/index.ts';
import type { App } from '../pipeline/app.ts';
import type { Context } from '../pipeline/context.ts';
import { always, type Condition } from './conditions.ts';
import type { Deviation, Deviations } from './deviation.ts';

/** What a deviation does to matching requests. Wraps the app from outside. */
export interface Effect {
  /** For the table of `npm run teeth -- --coverage`: "refuse", "change response". */
  readonly kind: string;
  /** Called once per mock, so an effect may remember earlier requests. */
  readonly wrap: (app: App, applies: (ctx: Context) => boolean) => App;
}

export type Row = Deviation | readonly [what: string, effect: Effect] | readonly [what: string, Condition, Effect];

/** Rows by rule id and variant. The variant `''` has the id of the rule itself. */
export type Table = { readonly [Id in MustId]?: { readonly [variant: string]: Row } };

export function deviationsOf(table: Table): Deviations {
  const entries = Object.entries(table).flatMap(([rule, rows]) =>
    Object.entries(rows).map(([variant, row]) => [variant === '' ? rule : `${rule}/${variant}`, deviationOf(row)]),
  );
  return Object.fromEntries(entries);
}

function deviationOf(row: Row): Deviation {
  if ('wrap' in row) return row;
  const [what, condition, effect] = row.length === 3 ? row : [row[0], always, row[1]];
  return {
    what,
    effect: effect.kind,
    condition: condition.name,
    wrap: (app) => effect.wrap(app, (ctx) => condition.holds(ctx)),
  };
}
