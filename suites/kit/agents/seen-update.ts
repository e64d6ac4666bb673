/** Updates of agents as rules see them in anybody's traffic. */
import { bodyFindings } from '../../../spec/validators.ts';
import { fieldsOf, isFields } from '../../json/fields.ts';
import type { Fields } from '../../json/fields.ts';
import { flawsIn } from '../../judge/judgement.ts';
import type { Facts, Seen } from '../../judge/seen.ts';
import { isConcurrentUpdate, isSuccess } from '../resources/seen-resource.ts';

/** Empty if there is none, or if it is no object. */
export const specIn = (body: unknown): Fields => fieldsOf(fieldsOf(body)?.['spec']) ?? {};

export const elementsOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : []);

export const sentTriggers = ({ sent }: Seen): readonly Fields[] => elementsOf(specIn(sent)['triggers']);
export const sentVolumes = ({ sent }: Seen): readonly Fields[] => elementsOf(specIn(sent)['volumes']);

export const configurationOf = (trigger: Fields): Fields => fieldsOf(trigger['configuration']) ?? {};

export const generationIn = (spec: Fields): unknown => fieldsOf(spec['runtime'])?.['generation'];

/** Whether the body has the required parts: metadata with a name, and a spec. */
export function hasEnvelope(body: unknown): boolean {
  const { metadata, spec } = fieldsOf(body) ?? {};
  return isFields(metadata) && metadata['name'] !== undefined && isFields(spec);
}

/** Whether the update was accepted, no rule refuses it, and the response shows no other one. */
export const isAcceptedUpdate = (seen: Seen, facts: Facts): boolean =>
  isSuccess(seen) &&
  !isConcurrentUpdate(seen) &&
  isFields(seen.json) &&
  isFields(seen.sent) &&
  bodyFindings('updateAgent', seen.sent).length === 0 &&
  flawsIn(seen, facts).length === 0;

/** The types of triggers that have these members of the configuration. A server may ignore them in others. */
const typesWith: ReadonlyMap<string, readonly string[]> = new Map([
  ['authenticationType', ['http', 'http-async']],
  ['callbackUrl', ['http-async']],
  ['path', ['http', 'http-async']],
  ['retry', ['http-async']],
  ['schedule', ['cron']],
  ['tasks', ['cron']],
  ['timeout', ['http-async']],
]);

/** The spec without members that a server may ignore, because they belong to another type of trigger or another generation. */
export function effectiveSpec(spec: Fields): Fields {
  const isMk3 = generationIn(spec) === 'mk3';
  const { public: isPublic, ...others } = spec;
  const { triggers } = spec;
  return {
    ...others,
    ...(isPublic !== undefined && (isMk3 || isPublic !== true) && { public: isPublic }),
    ...(Array.isArray(triggers) && {
      triggers: triggers.map((each: unknown) => (isFields(each) ? effectiveTrigger(each, isMk3) : each)),
    }),
  };
}

function effectiveTrigger(trigger: Fields, isMk3: boolean): Fields {
  const { configuration, type } = trigger;
  if (!isFields(configuration)) return trigger;
  const isEffective = (name: string): boolean =>
    typesWith.get(name)?.includes(String(type)) !== false && (name !== 'timeout' || isMk3);
  return {
    ...trigger,
    configuration: Object.fromEntries(Object.entries(configuration).filter(([name]) => isEffective(name))),
  };
}
