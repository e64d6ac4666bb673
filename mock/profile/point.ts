/** What a point is: one question of an observing case, what the mock does there by itself, and how it does as a target was seen to do. */
import type { App } from '../deviations/deviation.ts';
import type { Choices } from './choices.ts';

/** Any of the members of `Choices`, at any depth. */
export type ChoicesPart<Of = Choices> = {
  readonly [Name in keyof Of]?: Of[Name] extends object ? ChoicesPart<Of[Name]> : Of[Name];
};

/**
 * How what was seen is followed: by a choice, by a layer around the app, or not, and why. An empty one: nothing is to be
 * done, since it comes of what other points say.
 */
export interface Follow {
  readonly choices?: ChoicesPart;
  readonly layer?: Layer;
  readonly cannot?: string;
}

export type Layer = (app: App) => App;

export interface Point {
  /** What is seen of the mock without a profile; left out where the case does not come to it. */
  readonly own?: string;
  /** The words that `follow` understands, for the sentence that tells of others. */
  readonly allowed: string;
  /** Words of another point of the rule: the mock tells the two not apart, so that what is seen there is seen here. */
  readonly sameAs?: string;
  /** Undefined for words that it does not know. Never asked for what the mock does by itself. */
  readonly follow: (saw: string) => Follow | undefined;
}

/** The points of one observing rule, by the words of its case. */
export type Points = Readonly<Record<string, Point>>;

export const follows: Follow = {};

export const cannot = (why: string): Follow => ({ cannot: why });

export const layered = (layer: Layer): Follow => ({ layer });

/** A point whose words are these and no others. */
export function oneOf(own: string | undefined, words: Readonly<Record<string, () => Follow>>): Point {
  const others = Object.keys(words).map((word) => `"${word}"`);
  return {
    ...(own !== undefined && { own }),
    allowed: [...(own === undefined ? [] : [`"${own}"`]), ...others].join(', '),
    follow: (saw) => (Object.hasOwn(words, saw) ? words[saw]?.() : undefined),
  };
}

/** A point whose words have a form. */
export function ofForm(
  own: string | undefined,
  allowed: string,
  form: RegExp,
  follow: (found: Readonly<Record<string, string | undefined>>, saw: string) => Follow | undefined,
): Point {
  return {
    ...(own !== undefined && { own }),
    allowed,
    follow: (saw) => {
      const found = form.exec(saw);
      return found === null ? undefined : follow(found.groups ?? {}, saw);
    },
  };
}
