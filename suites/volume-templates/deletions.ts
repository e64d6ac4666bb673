/** Deletes versions of volume templates that the run creates, or else of one in the target file. */
import type { Run } from '../engine/conforms.ts';
import { eventually, noteWait, waitedSecondsFor } from '../target/eventually.ts';
import { isRefused } from '../expect/status.ts';
import { clientFor, callerVariants, variantAt } from '../kit/provision/caller-variants.ts';
import type { Client, Exchange } from '../target/client.ts';
import { isConflict } from '../target/retry-delay.ts';
import { ownTemplates, removeTemplate } from './own-templates.ts';
import type { OwnTemplate } from './own-templates.ts';
import { hidesVersions, versionNames } from './template.ts';
import { fieldsOf } from '../json/fields.ts';
import { sharedValue } from '../engine/shared-values.ts';

const deletionsOfRun = sharedValue<Deletion[]>();

export interface Deletion {
  readonly template: string;
  /** The version that is deleted. */
  readonly version: string;
  readonly exchange: Exchange;
  /** Versions of the template that were deleted before it. */
  readonly gone: readonly string[];
  /** Remaining versions of the template. Absent if unknown. */
  readonly left?: readonly string[];
  /** How many versions the template has then, of which a server may list only some. Absent if unknown. */
  readonly leftCount?: number;
  /** Shows that the version is gone, if its deletion returns the template as it was before (decision 045). */
  readonly later?: Exchange;
}

/** Shared by the cases of a run. Ends with the first response other than 200, unless the version may be kept. Throws NotTried if there is nothing to delete. */
export function deletions(run: Run): Promise<Deletion[]> {
  return deletionsOfRun.get(run, async () => {
    const templates = await ownTemplates(run);
    const done = templates.length > 0 ? await inTurns(run, templates) : await ofListed(run);
    const isEmpty = ({ name, versions }: OwnTemplate): boolean => deletedFrom(done, name).length === versions.length;
    if (templates.every(isEmpty)) for (const { name } of templates) await removeTemplate(run, name);
    run.need(done.length, listedVersions(run).length > 0 ? ALL_GONE : nothingToDelete(run));
    return done;
  });
}

const nothingToDelete = ({ target: { allow } }: Run): string =>
  `a volume template version to delete: created by the run, or in the target file${allow === 'destroy' ? '' : ' with allow: destroy'}`;
const ALL_GONE = 'a volume template version that exists: deletions of all of those in the target file returned 404';

/** From the middle, the oldest, the newest and the last one left: of one template, then of the other, which has fewer. */
const ORDER = [2, 0, 3, 1];

async function inTurns(run: Run, templates: readonly OwnTemplate[]): Promise<Deletion[]> {
  const done: Deletion[] = [];
  for (const at of ORDER) {
    for (const template of templates) {
      if (at >= template.versions.length) continue;
      const deletion = await ofOwn(run, template, at, deletedFrom(done, template.name));
      if (mayBeKept(deletion, template)) continue;
      done.push(deletion);
      if (deletion.exchange.response.status !== 200 || isStillListed(deletion)) return done;
    }
  }
  return done;
}

/** A server may refuse to delete the newest version and the last one left (decision 045). */
function mayBeKept({ version, exchange, gone }: Deletion, { versions }: OwnTemplate): boolean {
  const mayRemain = version === versions.at(-1) || gone.length === versions.length - 1;
  return mayRemain && gone.length > 0 && isRefused(exchange) && !isAbsent(exchange);
}

const deletedFrom = (done: readonly Deletion[], name: string): string[] =>
  done.flatMap(({ template, version, exchange }) =>
    template === name && exchange.response.status === 200 ? [version] : [],
  );

async function ofOwn(
  run: Run,
  { name: template, versions, areReturned, createdCount }: OwnTemplate,
  at: number,
  gone: readonly string[],
): Promise<Deletion> {
  const version = versions[at]!;
  // A delete for a missing template: if it removes a version, the check below fails.
  if (gone.length === 0) await deleted(run, run.newName(), version, run.client);
  const way = variantAt(callerVariants(run), at);
  const byWay = () => deleted(run, template, version, clientFor(run, way));
  const byStrongest = () => deleted(run, template, version, run.client);
  const first = await byWay();
  // An API key may have fewer permissions.
  const again = way.caller === 'apiKey' ? byStrongest : byWay;
  // A new version may take a moment to exist, and until it is uploaded.
  const seconds = areReturned && !isConflict(first.response) ? 0 : run.patienceSeconds;
  const isSettled = ({ response }: Exchange): boolean => response.status !== 404 && !isConflict(response);
  const exchange = isRefused(first) ? await eventually(again, isSettled, seconds) : first;
  const left = versions.filter((each) => each !== version && !gone.includes(each));
  const later = await goneLater(run, template, version, exchange);
  const leftCount = createdCount - gone.length - 1;
  return { template, version, exchange, gone, leftCount, ...(areReturned && { left }), ...(later && { later }) };
}

const listsVersion = (version: string, template: unknown): boolean => versionNames(template).includes(version);

const returnedTemplate = ({ response: { json } }: Exchange): unknown => fieldsOf(json)?.['template'];

const isStillListed = ({ version, exchange, later }: Deletion): boolean =>
  later === undefined && listsVersion(version, returnedTemplate(exchange));

/** Undefined if the response does not list the version, or if it is still there after a while: then that is noted of the deletion. */
async function goneLater(run: Run, template: string, version: string, exchange: Exchange) {
  const lists = (returned: unknown): boolean => listsVersion(version, returned);
  if (exchange.response.status !== 200 || !lists(returnedTemplate(exchange))) return undefined;
  const isUnreadable = ({ response }: Exchange): boolean => response.status !== 200 || hidesVersions(response.json);
  const read = () => run.client.call('getVolumeTemplate', { path: { volumeTemplateName: template } });
  const isDone = (each: Exchange): boolean => isUnreadable(each) || !lists(each.response.json);
  const last = await eventually(read, isDone, run.patienceSeconds);
  function remains(end: Exchange): undefined {
    noteWait(exchange, waitedSecondsFor(end) ?? 0);
  }
  if (!isUnreadable(last)) return lists(last.response.json) ? remains(last) : last;
  const again = () => deleted(run, template, version, run.client);
  const second = await eventually(again, isAbsent, run.patienceSeconds);
  return isAbsent(second) ? second : remains(second);
}

const isAbsent = ({ response: { status } }: Exchange): boolean => status === 404 || status === 410;

const deleted = (run: Run, volumeTemplateName: string, versionName: string, client: Client): Promise<Exchange> =>
  client.call('deleteVolumeTemplateVersion', { path: { volumeTemplateName, versionName } });

const listedVersions = ({ target }: Run) =>
  target.allow === 'destroy' ? (target.resources.templateVersions ?? []) : [];

/** The first that is there: an earlier run may have used up others. */
async function ofListed(run: Run): Promise<Deletion[]> {
  for (const { template, version } of listedVersions(run)) {
    const path = { volumeTemplateName: template, versionName: version };
    const isReturned = (await run.client.call('getVolumeTemplateVersion', { path })).response.status === 200;
    const exchange = await deleted(run, template, version, run.client);
    if (!isReturned && isAbsent(exchange)) continue;
    const later = await goneLater(run, template, version, exchange);
    return [{ template, version, exchange, gone: [], ...(later && { later }) }];
  }
  return [];
}
