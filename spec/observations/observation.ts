/** An observation: what a target does where the document is silent, as a typed value and as text. */
import type { Observation } from '../formats/report.ts';
import type { ObserveId } from '../requirements/index.ts';
import { observationPoints } from './observation-points.ts';
import { pointFamilies } from './point-families.ts';
import type { Json, ValueKind } from './value-kind.ts';

type Points = typeof observationPoints;
type Families = typeof pointFamilies;

/** What a run observes at a rule, without its family of points. */
export type FixedWhat<Id extends ObserveId = ObserveId> = { [One in Id]: Extract<keyof Points[One], string> }[Id];

/** What a run observes at a rule. */
export type WhatOf<Id extends ObserveId> =
  | FixedWhat<Id>
  | (Id extends keyof Families ? ReturnType<Families[Id]['what']> : never);

type ValueOfKind<Kind> = Kind extends ValueKind<infer Value> ? Value : never;

/** The value that is observed at a point of a rule. */
export type ValueAt<Id extends ObserveId, What> = What extends keyof Points[Id]
  ? ValueOfKind<Points[Id][What]>
  : Id extends keyof Families
    ? What extends ReturnType<Families[Id]['what']>
      ? ValueOfKind<Families[Id]['kind']>
      : never
    : never;

export type ObservedWhat = { [Id in ObserveId]: WhatOf<Id> }[ObserveId];

/** The value that is observed at a point, of any rule. */
export type ObservedValue<What extends ObservedWhat> = { [Id in ObserveId]: ValueAt<Id, What> }[ObserveId];

/** Throws a RangeError if the rule has no such point. */
export function renderObservation(id: ObserveId, what: string, value: unknown): Observation {
  const kind = kindAt(id, what) ?? familyAt(id)?.kind;
  if (kind === undefined) throw new RangeError(`Rule "${id}" has no point "${what}".`);
  return { id, what, saw: kind.render(value), value: value as Json };
}

/** Undefined for a point that this version does not know, and for those of a family. */
export function kindAt(id: ObserveId, what: string): ValueKind | undefined {
  const points: Readonly<Record<string, unknown>> = observationPoints[id];
  return Object.hasOwn(points, what) ? (points[what] as ValueKind) : undefined;
}

export interface Family {
  readonly kind: ValueKind;
  readonly what: (value: never) => string;
}

export const familyAt = (id: ObserveId): Family | undefined =>
  (pointFamilies as { readonly [Id in ObserveId]?: unknown })[id] as Family | undefined;
