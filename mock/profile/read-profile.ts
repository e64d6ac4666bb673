/** Reads observations: the observations.json of a run, or the list in it. */
import { describeFileError } from '../../spec/describe-file-error.ts';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../spec/files/parse-json.ts';
import { readTextFile } from '../../spec/files/read-text.ts';
import { TooComplex } from '../../spec/files/too-complex.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { readFormat } from '../../spec/formats/read-format.ts';
import { observationSchema, type Observation } from '../../spec/formats/report.ts';
import { familyAt, kindAt } from '../../spec/observations/observation.ts';
import { isRequirementId, requirement } from '../../spec/requirements/index.ts';
import { isObject } from '../../spec/json-object.ts';
import { ProfileError } from './profile-error.ts';
import { profileOf, type NotFollowed, type Profile } from './profile.ts';

/** The content of observations.json. */
export interface ObservationsFile {
  readonly target?: string;
  readonly observations: readonly Observation[];
}

const FILE = 'observations.json';

const MAX_PROFILE_BYTES = 16 * 1024 * 1024;

/**
 * `path`: the file, or the report folder that contains it. Throws a ProfileError whose message begins with the path.
 * @internal
 */
export async function readProfile(given: string): Promise<Profile> {
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false, // Reading it reports the error.
  );
  const path = isFolder ? join(given, FILE) : given;
  try {
    return profileFrom(parse(readText(path)));
  } catch (error) {
    throw error instanceof ProfileError ? new ProfileError(`${path}: ${error.message}`) : error;
  }
}

function readText(path: string): string {
  try {
    return readTextFile(path, MAX_PROFILE_BYTES, { mayBePipe: true });
  } catch (error) {
    throw new ProfileError(`It ${describeFileError(error)}.`);
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof TooComplex) throw new ProfileError(error.message);
    throw new ProfileError(`Not JSON: ${(error as Error).message}.`);
  }
}

/** `value` is checked by the kind of its point. */
const entrySchema = z.strictObject({ ...observationSchema.shape, value: z.unknown().optional() });
const fileSchema = z.strictObject({ target: z.string().exactOptional(), observations: z.array(entrySchema) });

/**
 * Throws a ProfileError if the observations are invalid.
 * @internal
 */
export function profileFrom(input: unknown): Profile {
  if (isObject(input) && input['report'] !== undefined)
    throw new ProfileError(`This is a report: expected the ${FILE} next to it, or the folder of both.`);
  const { target, observations } = checked(fileSchema, Array.isArray(input) ? { observations: input } : input);
  const read = distinct(observations.map(readObservation));
  const profile = profileOf(read.filter(isKnown));
  const unknown = read.filter((each) => !isKnown(each)).map((each) => ({ ...each, why: UNKNOWN }));
  const notFollowed: readonly NotFollowed[] = [...profile.notFollowed, ...unknown];
  const followed = read.length - notFollowed.length;
  const counts = { followed, notFollowed: notFollowed.length };
  return { ...profile, notFollowed, following: { ...(target !== undefined && { target }), ...counts } };
}

const UNKNOWN = 'this version of assay does not know that point';

const isKnown = ({ id, what, value }: Observation): boolean =>
  kindAt(id, what) !== undefined || familyAt(id)?.what(value as never) === what;

function readObservation({ saw, ...entry }: z.infer<typeof entrySchema>, index: number): Observation {
  const { id, what, value } = entry;
  const at = `observations[${index}]`;
  if (!isRequirementId(id) || requirement(id).level !== 'observe')
    throw new ProfileError(`${at}.id: "${id}" is not the id of an observe rule. \`assay rules\` lists them.`);
  if (value === undefined)
    throw new ProfileError(
      `${at} has no value, so an older version wrote the file. Write a new one: assay test --target FILE --report DIR.`,
    );
  const kind = kindAt(id, what) ?? familyAt(id)?.kind;
  // A point of a newer version.
  if (kind === undefined) return { ...entry, saw, value: value as Observation['value'] };
  checked(z.object({ [at]: z.object({ value: kind.schema }) }), { [at]: { value } });
  return { ...entry, saw: kind.render(value), value: value as Observation['value'] };
}

function checked<T>(schema: z.ZodType<T>, input: unknown): T {
  try {
    return readFormat(schema, input);
  } catch (error) {
    throw error instanceof InvalidInput ? new ProfileError(error.message) : error;
  }
}

/** Without repetitions of one observation. */
const distinct = (observations: readonly Observation[]): Observation[] => [
  ...new Map(observations.map((each) => [JSON.stringify([each.id, each.what, each.value]), each])).values(),
];
