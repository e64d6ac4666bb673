/** Reads observations: the observations.json of a run, or the list in it. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRequirementId, requirement } from '../../spec/requirements/index.ts';
import type { Observation } from '../../spec/verdicts.ts';
import { profileOf, type Profile } from './profile.ts';
import { ProfileError } from './profile-error.ts';
import { isObject } from '../http/json-object.ts';
import type { JsonObject } from '../http/json-object.ts';

/** What observations.json holds. */
export interface ObservationsFile {
  readonly target?: string;
  readonly observations: readonly Observation[];
}

/** `path`: the file, or the folder of a report that holds it. Throws a ProfileError whose message begins with the path. */
export async function readProfile(given: string): Promise<Profile> {
  const isFolder = await stat(given).then(
    (found) => found.isDirectory(),
    () => false, // Reading it says what is wrong.
  );
  const path = isFolder ? join(given, FILE) : given;
  const text = await readFile(path, 'utf8').catch((error: Error) =>
    refuse(`it cannot be read: ${error.message}`, path),
  );
  try {
    return read(parsed(text));
  } catch (error) {
    throw error instanceof ProfileError ? new ProfileError(`${path}: ${error.message}`) : error;
  }
}

/** The same for observations that have been read already. */
export function profileFrom(observations: unknown): Profile {
  return read(observations);
}

const FILE = 'observations.json';

function read(file: unknown): Profile {
  const observations = observationsIn(file);
  const target = isObject(file) && typeof file['target'] === 'string' ? { target: file['target'] } : {};
  const followed = profileOf(observations);
  const notFollowed = followed.notFollowed.length;
  return { ...followed, following: { ...target, followed: observations.length - notFollowed, notFollowed } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    return refuse(`it is no JSON: ${(error as Error).message}`);
  }
}

function observationsIn(file: unknown): Observation[] {
  if (Array.isArray(file)) return distinct(file.map(observationIn));
  if (!isObject(file))
    return refuse(`it is ${shown(file)}; allowed: {target, observations}, or a list of observations`);
  if (file['report'] !== undefined)
    return refuse(`it is a report; wanted: the ${FILE} that a run writes beside it, or the folder of both`);
  refuseUnknown(file, ['target', 'observations'], 'it');
  const { target, observations } = file;
  if (target !== undefined && typeof target !== 'string') return refuse(`target is ${shown(target)}; allowed: a text`);
  if (!Array.isArray(observations)) return refuse(`observations is ${shown(observations)}; allowed: a list`);
  return distinct(observations.map(observationIn));
}

const MEMBERS = ['id', 'what', 'saw'] as const;

function observationIn(value: unknown, index: number): Observation {
  const at = `observations[${index}]`;
  if (!isObject(value)) return refuse(`${at} is ${shown(value)}; allowed: {id, what, saw}`);
  refuseUnknown(value, MEMBERS, at);
  for (const name of MEMBERS)
    if (typeof value[name] !== 'string') refuse(`${at}.${name} is ${shown(value[name])}; allowed: a text`);
  const { id, what, saw } = value as unknown as Observation;
  if (!isRequirementId(id) || requirement(id).level !== 'observe')
    return refuse(`${at}.id is ${shown(id)}; allowed: the id of a rule that observes (assay rules lists them)`);
  return { id, what, saw };
}

function refuseUnknown(value: JsonObject, allowed: readonly string[], at: string): void {
  const unknown = Object.keys(value).find((key) => !allowed.includes(key));
  if (unknown !== undefined) refuse(`${at} has the unknown key "${unknown}"; allowed: ${allowed.join(', ')}`);
}

/** Those of which a run saw one thing twice are there once. */
function distinct(observations: readonly Observation[]): Observation[] {
  return [...new Map(observations.map((each) => [JSON.stringify([each.id, each.what, each.saw]), each])).values()];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

function refuse(reason: string, path?: string): never {
  throw new ProfileError(`${path === undefined ? '' : `${path}: `}${reason}.`);
}
