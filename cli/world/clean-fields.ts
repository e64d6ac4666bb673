/** Which fields of a resource a world file keeps, and what replaces the others. */
import { isSecretName } from '../../spec/secret-names.ts';
import { isFields, type Fields } from '../../suites/json/fields.ts';
import { kindOf, type ReplacementKind, type Replacements } from './replacements.ts';

const word = /^[\w.-]{1,63}$/;
const name = /^[a-z0-9-]{1,49}$/;
const path = /^\/[\w./:-]{0,200}$/;

/**
 * By the last two members of the path: strings that are kept if they have the form, because tests and the mock depend on them.
 * Every other string is replaced, whatever it is; booleans and numbers are kept.
 */
const keptStrings: Readonly<Record<string, RegExp>> = {
  'spec.type': word,
  'spec.region': /^[a-z0-9-]{1,63}$/,
  'spec.generation': word,
  'spec.integration': word,
  'spec.integrationConnections': name,
  'spec.policies': name,
  'spec.locations': word,
  'spec.flavors': word,
  'spec.cidr': /^(?:10|172\.(?:1[6-9]|2\d|3[01])|192\.168)\.[\d.]+\/\d+$/, // Private addresses (RFC 1918).
  'spec.expiresAt': /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/,
  'runtime.generation': word,
  'runtime.type': word,
  'runtime.model': word,
  'repository.type': word,
  'envs.name': /^\w{1,63}$/,
  'volumes.name': name,
  'volumes.mountPath': path,
  'triggers.id': word,
  'triggers.type': word,
  'configuration.authenticationType': word,
  'configuration.path': path,
  'configuration.schedule': /^[\w*/,?#-]+(?: [\w*/,?#-]+){4}$/,
};

/** Replaced as what they are, and not by their value. */
const replacedStrings: Readonly<Record<string, ReplacementKind>> = {
  'envs.value': 'variable',
  'runtime.image': 'image',
  'spec.image': 'image',
  'spec.reference': 'image',
};

/** Made by the server, or without meaning for another one. */
const omitted: ReadonlySet<string> = new Set([
  'configuration.callbackSecret',
  'spec.token',
  'spec.url',
  'spec.bucket',
  'spec.versionId',
  'spec.templateName',
  'spec.workspace',
  'spec.name',
]);

/** Ids of revisions that only the deployment has. */
export const revisionIds: ReadonlySet<string> = new Set(['revision.active', 'revision.canary']);

/** Larger numbers may identify somebody; only their size is kept. */
const MAX_KEPT_NUMBER = 9_999_999;
const plainKey = /^(?!__proto__$)[A-Za-z_$][\w.$-]{0,62}$/;

/** `member`: the name of the object, such as `spec`. */
export function cleanFields(fields: Fields, member: string, replacements: Replacements, isSecret = false): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const place = `${member}.${key}`;
      if (omitted.has(place) || revisionIds.has(place)) return [];
      const cleaned = cleanValue(value, { place, member: key, isSecret: isSecret || isSecretName(key) }, replacements);
      const ownKey = replacements.kept(key, plainKey) ?? replacements.of('key', key);
      return cleaned === undefined ? [] : [[ownKey, cleaned] as const];
    }),
  );
}

interface Place {
  readonly place: string;
  readonly member: string;
  readonly isSecret: boolean;
}

/** Undefined for null, which counts as omitted. */
function cleanValue(value: unknown, at: Place, replacements: Replacements): unknown {
  if (Array.isArray(value))
    return value.map((each: unknown) => cleanValue(each, at, replacements)).filter((each) => each !== undefined);
  if (isFields(value)) return cleanFields(value, at.member, replacements, at.isSecret);
  if (typeof value === 'string') return cleanString(value, at, replacements);
  if (typeof value === 'number') return at.isSecret || Math.abs(value) > MAX_KEPT_NUMBER ? sizeOf(value) : value;
  return value ?? undefined;
}

function cleanString(text: string, { place, isSecret }: Place, replacements: Replacements): string {
  if (text === '') return text;
  if (isSecret) return replacements.of('secret', text);
  const form = keptStrings[place];
  const kept = form && replacements.kept(text, form);
  return kept ?? replacements.of(replacedStrings[place] ?? kindOf(text), text);
}

/** 49151234567 becomes 10000000000. */
const sizeOf = (value: number): number => Math.sign(value) * 10 ** Math.floor(Math.log10(Math.abs(value) || 1));

/** Keys stay, because clients select by them, unless they may be addresses. */
export function cleanLabels(labels: Fields, replacements: Replacements): Record<string, string> {
  return Object.fromEntries(
    Object.entries(labels).map(([key, value]) => [
      replacements.kept(key, /^[\w.-]{1,63}$/) ?? replacements.of('key', key),
      replacements.of('word', String(value)),
    ]),
  );
}
