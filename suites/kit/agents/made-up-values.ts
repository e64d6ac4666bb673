/**
 * Values in the spec of an agent that runs make up, because the interface does not define which ones a target accepts, and unlike
 * values to try in their place. One row each: where the value is, how it is sent with nothing else that is made up, what to try
 * instead, and the key of `samples` that provides a better one.
 */
import { limits } from '../../../spec/values.ts';
import { hasFiveFields } from '../../generators/cron-expression.ts';
import { isFields } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import type { Target } from '../../target/target.ts';

type Samples = Target['samples'];
/** An element of a list in the spec: a variable, a trigger or a volume. */
type Element = Fields;
/** Replaces the value in an element. `index` is another one for each value. Undefined drops the element: samples may be too few. */
export type Replacement = (element: Element, index: number) => Element | undefined;

export interface MadeUp {
  /** Completes "… that is accepted". */
  readonly what: string;
  /** Absent for a documented field of which only the value is made up: a target that accepts none at all breaks a rule. */
  readonly sample?: keyof Samples;
  /** The sample of a row above, whose value is sent with this one even if alone: each may be refused because of the other. */
  readonly with?: keyof Samples;
  readonly list: 'envs' | 'triggers' | 'volumes';
  /** The value that a run has made up. Undefined if the element has none. */
  readonly value: (element: Element) => unknown;
  /** The element with this value, and otherwise only with what it needs. */
  readonly alone: (element: Element) => Element;
  /** With the sample of the target file. Absent for a value that is not replaced by it. */
  readonly fromSamples?: (samples: Samples) => Replacement;
  /** With less of the sample, so that more of what a run makes up is sent: used once the target has accepted it. */
  readonly partlyFromSamples?: (samples: Samples) => Replacement;
  readonly others: readonly Replacement[];
  /** Of a value that the target generates for an element without it: tried last. */
  readonly generated?: {
    readonly without: (element: Element) => Element;
    /** Values of the form of the generated one. Undefined if the returned element has none. */
    readonly like: (returned: Element) => Replacement | undefined;
  };
}

/** a, b, …, z, ba, bb, … */
const letters = (index: number): string => {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26)) + last;
};

const uuid = (index: number): string => `7c9e6679-7425-40de-944b-${index.toString(16).padStart(12, '0')}`;

const beginsWith = (value: unknown, begin: RegExp): string | undefined =>
  typeof value === 'string' && begin.test(value) ? value : undefined;

const configurationOf = ({ configuration }: Element): Fields => (isFields(configuration) ? configuration : {});

const configured = (trigger: Element, more: Fields): Element => ({
  ...trigger,
  configuration: { ...configurationOf(trigger), ...more },
});

/** The trigger with only these settings, and those that every trigger of its type needs. */
function withOnly(trigger: Element, ...settings: readonly string[]): Element {
  const needed = ['path', 'schedule', 'callbackUrl', 'authenticationType', ...settings];
  const kept = Object.entries(configurationOf(trigger)).filter(([name]) => needed.includes(name));
  return { type: trigger['type'], configuration: Object.fromEntries(kept) };
}

const setting =
  (name: string, value: unknown): Replacement =>
  (trigger) =>
    configured(trigger, { [name]: value });

const settings = (name: string, ...values: readonly unknown[]): Replacement[] =>
  values.map((value) => setting(name, value));

/** A value that every server takes for a variable. */
const PLAIN_TEXT = /^[\w .:/=-]{1,60}$/;
const BEYOND_ASCII = /[^\0-\x7f]/;

/** The value of a variable that is a text, and not plain. */
function unusualText({ value }: Element, isBeyondAscii: boolean): string | undefined {
  const isUnusual = typeof value === 'string' && !PLAIN_TEXT.test(value);
  return isUnusual && BEYOND_ASCII.test(value) === isBeyondAscii ? value : undefined;
}

/** What follows the last separator: other ids of a server probably differ there. */
const endOf = (id: string): string => /[a-z\d]*$/i.exec(id)![0];

/** Characters that may stand for each other: an id may be hexadecimal. */
const CLASSES = ['0123456789', 'abcdef', 'ghijklmnopqrstuvwxyz', 'ABCDEF', 'GHIJKLMNOPQRSTUVWXYZ'];

/** Differs from `known`, and for each index, in characters of the same classes. Longer if there are no more of its length. */
export function similarId(known: string, index: number): string {
  const end = endOf(known);
  let rest = index + 1;
  const changed = [...end].toReversed().map((character) => {
    const all = CLASSES.find((each) => each.includes(character))!;
    const at = all.indexOf(character) + rest;
    rest = Math.floor(rest / all.length);
    return all[at % all.length]!;
  });
  const longer = rest === 0 ? '' : String(rest);
  return known.slice(0, known.length - end.length) + changed.toReversed().join('') + longer;
}

const setName =
  (nameOf: (letters: string) => string): Replacement =>
  (env, index) => ({ ...env, name: nameOf(letters(index)) });

/** The variable with only these members. Without "secret: false", which is the default. */
const withOnlyValue = ({ name, value, secret }: Element): Element => ({
  name,
  value,
  ...(secret === true && { secret }),
});

export const madeUpValues: readonly MadeUp[] = [
  {
    // Before variables that may be open: names may have to tell which ones are secret.
    what: 'a secret variable by name',
    list: 'envs',
    value: ({ name, secret }) => (secret === true ? beginsWith(name, /^assay/i) : undefined),
    alone: ({ name }) => ({ name, value: 'text', secret: true }),
    others: [
      setName((index) => `SECRET${index.toUpperCase()}`),
      setName((index) => `SECRET_${index.toUpperCase()}`),
      setName((index) => `${index.toUpperCase()}_SECRET`),
      setName((index) => `APP_${index.toUpperCase()}_SECRET`),
      setName((index) => `app_secret_${index}`),
    ],
  },
  {
    what: 'a variable by name',
    sample: 'variables',
    list: 'envs',
    value: ({ name }) => beginsWith(name, /^assay/i),
    alone: ({ name }) => ({ name, value: 'text' }),
    fromSamples: ({ variables = {} }) => {
      const known = Object.entries(variables);
      return (env, index) => {
        const [name, value] = known[index] ?? [];
        return name === undefined ? undefined : { ...env, name, ...('value' in env && { value }) };
      };
    },
    partlyFromSamples: ({ variables = {} }) => {
      const names = Object.keys(variables);
      return (env, index) => (names[index] === undefined ? undefined : { ...env, name: names[index] });
    },
    others: [
      setName((index) => `LEVEL${index.toUpperCase()}`),
      setName((index) => `APP_SETTING_${index.toUpperCase()}`),
      setName((index) => `app_setting_${index}`),
    ],
  },
  {
    what: 'the value of a variable',
    sample: 'variables',
    list: 'envs',
    value: (env) => unusualText(env, false),
    alone: withOnlyValue,
    others: [
      (env, index) => ({ ...env, value: `text-${letters(index)}` }),
      (env, index) => ({ ...env, value: String(index + 1) }),
    ],
  },
  {
    what: 'a value of a variable with letters beyond ASCII',
    sample: 'variables',
    list: 'envs',
    value: (env) => unusualText(env, true),
    alone: withOnlyValue,
    // Others in ASCII would show nothing about such letters.
    others: [
      (env, index) => ({ ...env, value: `Grüße ${letters(index)}` }),
      (env, index) => ({ ...env, value: `東京-${letters(index)}` }),
    ],
  },
  {
    what: 'the path of a trigger',
    sample: 'triggerPath',
    list: 'triggers',
    value: (trigger) => beginsWith(configurationOf(trigger)['path'], /^\/assay[/-]/),
    // Of the type that needs the least.
    alone: (trigger) => ({ type: 'http', configuration: { path: configurationOf(trigger)['path'] } }),
    fromSamples:
      ({ triggerPath }) =>
      (trigger, index) =>
        configured(trigger, { path: `${triggerPath}/${letters(index)}` }),
    others: [
      (trigger, index) => configured(trigger, { path: `/calls-${letters(index)}` }),
      (trigger, index) => configured(trigger, { path: `/hooks/${letters(index)}` }),
      (trigger, index) => configured(trigger, { path: `calls-${letters(index)}` }),
    ],
  },
  {
    what: 'an http trigger without authenticationType',
    sample: 'authenticationType',
    with: 'triggerPath',
    list: 'triggers',
    value: (trigger) =>
      trigger['type'] === 'http' && configurationOf(trigger)['authenticationType'] === undefined ? 'none' : undefined,
    alone: (trigger) => withOnly(trigger),
    fromSamples: ({ authenticationType }) => setting('authenticationType', authenticationType),
    others: settings('authenticationType', 'public', 'private', 'none'),
  },
  {
    what: 'the callbackUrl of a trigger',
    sample: 'callbackUrl',
    list: 'triggers',
    value: (trigger) => beginsWith(configurationOf(trigger)['callbackUrl'], /^https:\/\/example\.com\/assay/),
    alone: (trigger) => withOnly(trigger),
    fromSamples: ({ callbackUrl }) => setting('callbackUrl', callbackUrl),
    others: settings('callbackUrl', 'https://example.org/', 'https://hooks.example.net/calls', 'https://example.com/'),
  },
  {
    what: 'the schedule of a trigger',
    sample: 'schedule',
    list: 'triggers',
    value: (trigger) => {
      const { schedule } = configurationOf(trigger);
      return typeof schedule === 'string' && hasFiveFields(schedule) ? schedule : undefined;
    },
    alone: (trigger) => withOnly(trigger),
    fromSamples: ({ schedule }) => setting('schedule', schedule),
    others: settings('schedule', '0 9 * * 1', '0 0 1 * *', '17 9 * * 1-5'),
  },
  {
    what: 'a cron trigger without tasks',
    sample: 'tasks',
    with: 'schedule',
    list: 'triggers',
    value: (trigger) =>
      trigger['type'] === 'cron' && !hasTasks(configurationOf(trigger)['tasks']) ? 'none' : undefined,
    alone: (trigger) => withOnly(trigger),
    fromSamples: ({ tasks }) => setting('tasks', tasks),
    others: settings('tasks', [{ name: 'assay' }], [{}], [{ inputs: 'hello' }]),
  },
  {
    what: 'the id of a trigger',
    list: 'triggers',
    value: ({ id }) => (typeof id === 'string' && id !== '' ? id : undefined),
    alone: (trigger) => ({ id: trigger['id'], ...withOnly(trigger) }),
    others: [
      (trigger, index) => ({ ...trigger, id: `trigger${letters(index)}` }),
      (trigger, index) => ({ ...trigger, id: uuid(index) }),
    ],
    generated: {
      without: ({ id: _, ...trigger }) => trigger,
      like: ({ id: known }) =>
        typeof known !== 'string' || known === ''
          ? undefined
          : (trigger, index) => ({ ...trigger, id: similarId(known, index) }),
    },
  },
  {
    what: 'the retry setting of a trigger',
    list: 'triggers',
    value: (trigger) => configurationOf(trigger)['retry'],
    alone: (trigger) => withOnly(trigger, 'retry'),
    others: settings('retry', 1, 3, 0),
  },
  {
    what: 'a timeout below the maximum',
    list: 'triggers',
    value: (trigger) => {
      const { timeout } = configurationOf(trigger);
      return Number(timeout) > 0 && Number(timeout) < limits.triggerTimeoutSeconds ? timeout : undefined;
    },
    alone: (trigger) => withOnly(trigger, 'timeout'),
    others: settings('timeout', 60, 300, 600),
  },
  {
    what: 'the mountPath of a volume',
    sample: 'mountPath',
    list: 'volumes',
    value: ({ mountPath }) => beginsWith(mountPath, /^\/mnt\/assay/i),
    alone: ({ name, mountPath }) => ({ name, mountPath }),
    fromSamples:
      ({ mountPath }) =>
      (volume, index) => ({ ...volume, mountPath: `${mountPath}/${letters(index)}` }),
    others: [
      (volume, index) => ({ ...volume, mountPath: `/data/${letters(index)}` }),
      (volume, index) => ({ ...volume, mountPath: `/volume-${letters(index)}` }),
      (volume, index) => ({ ...volume, mountPath: `/mnt/data/${letters(index)}` }),
    ],
  },
];

const hasTasks = (tasks: unknown): boolean => Array.isArray(tasks) && tasks.length > 0;
