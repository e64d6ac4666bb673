/** A row of the profile: one observed point, what the mock itself does there, and how it follows another value. */
import { isDeepStrictEqual } from 'node:util';
import type { Observation } from '../../spec/formats/report.ts';
import type { FixedWhat, ValueAt } from '../../spec/observations/observation.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { App } from '../pipeline/app.ts';
import type { Choices } from '../state/choices.ts';

/** Any of the members of `Choices`, at any depth. */
export type ChoicesPart<Of = Choices> = {
  readonly [Name in keyof Of]?: Of[Name] extends object ? ChoicesPart<Of[Name]> : Of[Name];
};

export type Layer = (app: App) => App;

/** A choice, a layer around the app, or the reason why the mock cannot follow; empty if nothing needs to change. */
export interface Follow {
  readonly choices?: ChoicesPart;
  readonly layer?: Layer;
  readonly cannot?: string;
}

export interface Row<Value> {
  /** What is observed of a mock without a profile; absent if a run does not reach the point. A function: depends on earlier rows. */
  readonly own?: Value | ((given: Given, value: Value) => Value | undefined);
  /** What the mock itself chooses there: an observation that requires another choice contradicts it. */
  readonly ownChoices?: ChoicesPart;
  /** Never called with the mock's own value. The mock, observed again, shows the very same value. */
  readonly follow: (value: Value, given: Given) => Follow;
}

/** What the rows before this one have decided. */
export interface Given {
  readonly chosen: Choices;
  /** What is observed at another point; undefined if neither the profile nor the mock has a value there. */
  readonly valueAt: <Id extends ObserveId, What extends FixedWhat<Id>>(
    id: Id,
    what: What,
  ) => ValueAt<Id, What> | undefined;
}

/** The rows of the points of one rule. */
export type RowsOf<Id extends ObserveId> = { readonly [What in FixedWhat<Id>]?: Row<ValueAt<Id, What>> };

export const unchanged: Follow = {};
export const cannot = (why: string): Follow => ({ cannot: why });
export const layered = (layer: Layer): Follow => ({ layer });

/** A row of words: what follows from each word that is not the mock's own. */
export const choice = <Word extends string>(
  own: NoInfer<Word>,
  others: { readonly [Other in NoInfer<Word>]?: Follow },
): Row<Word> => ({ own, follow: (word) => others[word] ?? unchanged });

export const isSameValue = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);

export const keyOf = ({ id, what }: Pick<Observation, 'id' | 'what'>): string => `${id} ${what}`;
