/** volume-templates.versions.*: deleted versions, and the template in the response. */
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { isFields } from '../json/fields.ts';
import { isSuccess } from '../kit/resources/seen-resource.ts';
import type { Mismatch } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { deletions } from './deletions.ts';
import type { Deletion } from './deletions.ts';
import { countIn, hidesVersions, nameOf, versionNames, versionsIn } from './template.ts';

interface Body {
  readonly message?: unknown;
  readonly template?: unknown;
}

const bodyOf = ({ exchange }: Deletion): Body => exchange.response.json ?? {};

/** Undefined if it was refused, or if the body cannot be read. */
function seenDeletion(seen: Seen): Deletion | undefined {
  const { volumeTemplateName: template = '', versionName: version = '' } = seen.path;
  if (!isSuccess(seen) || (seen.status === 200 && !isFields(seen.json))) return undefined;
  return { template, version, exchange: seen.exchange, gone: [] };
}

judges('volume-templates.versions.deleted', 'deleteVolumeTemplateVersion', (seen) => {
  const deletion = seenDeletion(seen);
  if (deletion === undefined) return undefined;
  // Whether it is gone later, another request shows.
  const later = showsTemplateBefore(deletion) && { later: deletion.exchange };
  return [...status(deletion.exchange, 200), ...isReturned(deletion), ...isGone({ ...deletion, ...later })];
});

judges('volume-templates.versions.count-agrees', 'deleteVolumeTemplateVersion', (seen) => {
  const deletion = seenDeletion(seen);
  if (deletion === undefined || nameOf(bodyOf(deletion).template) === undefined) return undefined;
  return [...countAgrees(deletion), ...namesTemplate(deletion)];
});

conforms('volume-templates.versions.deleted', async (run) => {
  for (const deletion of await deletions(run))
    run.check(status(deletion.exchange, 200), isReturned(deletion), isGone(deletion), keepsOthers(deletion));
});

function isReturned(deletion: Deletion): Mismatch[] {
  const { exchange, template: name } = deletion;
  const { message, template } = bodyOf(deletion);
  return [
    ...(typeof message === 'string' ? [] : [wrong(exchange, 'message: a string', `message: ${returned(message)}`)]),
    ...(nameOf(template) === name
      ? []
      : [wrong(exchange, `template.metadata.name: ${returned(name)}`, returned(nameOf(template)))]),
  ];
}

/** Lists the deleted version, and counts it. */
const showsTemplateBefore = (deletion: Deletion): boolean =>
  versionNames(bodyOf(deletion).template).includes(deletion.version) && countAgrees(deletion).length === 0;

function isGone(deletion: Deletion): Mismatch[] {
  const { exchange, version, gone, later } = deletion;
  const names = versionNames(bodyOf(deletion).template);
  return [...(later !== undefined && showsTemplateBefore(deletion) ? [] : [version]), ...gone]
    .filter((each) => names.includes(each))
    .map((each) => wrong(exchange, `no version ${returned(each)}, which was deleted`, `versions: ${returned(names)}`));
}

function keepsOthers(deletion: Deletion): Mismatch[] {
  const { exchange: deleted, left = [], later } = deletion;
  const [exchange, template] = later ? [later, later.response.json] : [deleted, bodyOf(deletion).template];
  if (hidesVersions(template)) return [];
  const names = versionNames(template);
  return left
    .filter((each) => !names.includes(each))
    .map((each) => wrong(exchange, `version ${returned(each)}, which was not deleted`, `versions: ${returned(names)}`));
}

conforms('volume-templates.versions.count-agrees', async (run) => {
  const withTemplate = (await deletions(run)).filter(
    (deletion) => deletion.exchange.response.status === 200 && nameOf(bodyOf(deletion).template) !== undefined,
  );
  run.need(withTemplate.length, 'a volume template version whose deletion returns the template');
  for (const deletion of withTemplate) run.check(countAgrees(deletion), namesTemplate(deletion));
});

/**
 * If no version is left, the count may be omitted as well. A version in several regions counts as one or several. If only some
 * are listed, the count is that of all (decision 045).
 */
function countAgrees(deletion: Deletion): Mismatch[] {
  const { template } = bodyOf(deletion);
  const all = versionsIn(template);
  const left = all.length;
  const count = countIn(template);
  const sizes: unknown[] = [left, distinct(all.map(({ name }) => name)), distinct(all.map((each) => each.versionId))];
  if (sizes.includes(count) || (left === 0 && count === undefined) || hidesVersions(template)) return [];
  const { leftCount, version } = deletion;
  const isListed = all.some(({ name }) => name === version);
  const ofAll = leftCount === undefined ? count : leftCount + (isListed ? 1 : 0);
  if (typeof count === 'number' && left > 0 && count > left && count === ofAll) return [];
  return [wrong(deletion.exchange, `state.versionCount: ${left}, as many as versions`, returned(count))];
}

/** Undefined accepts any number. */
const distinct = (ids: readonly unknown[]): number => (ids.includes(undefined) ? ids.length : new Set(ids).size);

function namesTemplate(deletion: Deletion): Mismatch[] {
  const { exchange, template: name } = deletion;
  return versionsIn(bodyOf(deletion).template)
    .filter(({ templateName }) => templateName !== name)
    .map(({ templateName }) => wrong(exchange, `templateName: ${returned(name)}`, returned(templateName)));
}

const returned = (value: unknown): string => (value === undefined ? 'absent' : JSON.stringify(value));

const wrong = (exchange: Deletion['exchange'], expected: string, actual: string): Mismatch => ({
  expected,
  actual,
  exchange,
});
