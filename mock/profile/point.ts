/** What a point is: one question of an observing case, what the mock does there by itself, and how it does as a target was seen to do. */
import type { App } from '../pipeline/app.ts';
import type { ObserveId } from '../../spec/requirements/index.ts';
import type { Choices } from '../state/choices.ts';

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
  /** What is seen instead where points that come earlier in the table are followed. */
  readonly ownWith?: (given: Given) => string | undefined;
  /** What it chooses by itself there: another observation that asks for something else contradicts it. */
  readonly ownChoices?: ChoicesPart;
  /** The words that `follow` understands, for the sentence that tells of others. */
  readonly allowed: string;
  /**
   * Undefined for words that it does not know. Never asked for what the mock does by itself. What it follows is what the
   * mock, observed again, is seen to do, in the very same words. `given`: by points that come earlier in the table.
   */
  readonly follow: (saw: string, given: Given) => Follow | undefined;
}

/** What the mock does as far as the profile has been read. */
export interface Given {
  readonly chosen: Choices;
  /** What is seen at another point, left out: of the same rule. */
  readonly seenAt: (what: string, id?: ObserveId) => string | undefined;
}

/** The same point where the mock tells it not apart from another one of the rule: what is seen there is seen here. */
export const sameAs = (what: string, point: Point): Point => ({ ...point, ownWith: ({ seenAt }) => seenAt(what) });

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

/** Of a run that waits its turn after 429, and tries again, no case prints it. */
const TOO_MANY = '429';

/** An answer of such a status has no body (RFC 9110 15.3.5, 15.4.5). */
export const hasNoBody = (status: string | undefined): boolean => status === '204' || status === '304';

/** As a case lists names: each once, in the order of their signs. */
export function namesIn(words: string): readonly string[] | undefined {
  const names = words.split(', ');
  return names.join('\n') === [...new Set(names)].toSorted().join('\n') ? names : undefined;
}

/** A point whose words have a form; a group `status` holds a status. */
export function ofForm(
  own: string | undefined,
  allowed: string,
  form: RegExp,
  follow: (found: Readonly<Record<string, string | undefined>>, saw: string, given: Given) => Follow | undefined,
): Point {
  return {
    ...(own !== undefined && { own }),
    allowed,
    follow: (saw, given) => {
      const found = form.exec(saw);
      return found === null || found.groups?.['status'] === TOO_MANY
        ? undefined
        : follow(found.groups ?? {}, saw, given);
    },
  };
}
