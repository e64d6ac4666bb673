/** Deviations of the version header. */
import type { Effect } from './deviation.ts';
import type { Table } from './table.ts';
import { operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { earliestStable } from '../../spec/versions.ts';
import type { App } from '../pipeline/app.ts';
import type { Context } from '../pipeline/context.ts';
import { bodyOf } from '../wrap/wrapping.ts';
import { statusIs } from './auth/conditions.ts';
import { afterResponse, storeRefused, withMembers } from './auth/effects.ts';
import { all, not, when, type Condition, on } from './conditions.ts';
import { isByBrandHeader, isFromApiKey } from './writes.ts';

const management = on(...operations.filter(({ surface }) => surface === 'management').map(({ id }) => id));

const isDate = (value: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.startsWith(value) === true;
const isPreview = (value: string): boolean => value.endsWith('.preview') && isDate(value.slice(0, -'.preview'.length));
const isMalformed = (value: string): boolean => !isDate(value) && !isPreview(value);

/** Undefined if the header is absent. */
function versionOf(ctx: Context): string | undefined {
  const value = ctx.headers[ctx.state.world.headers.version.toLowerCase()];
  return value === undefined ? undefined : String(value);
}

/** Runs the app with another version; undefined removes the header. */
async function runWithVersion(app: App, ctx: Context, version: string | undefined): Promise<void> {
  const name = ctx.state.world.headers.version.toLowerCase();
  const { [name]: sent, ...others } = ctx.req.headers;
  ctx.req.headers = version === undefined ? others : { ...others, [name]: version };
  try {
    await app(ctx);
  } finally {
    ctx.req.headers = sent === undefined ? others : { ...others, [name]: sent };
  }
}

const withoutVersion = when('without a version', (ctx) => versionOf(ctx) === undefined);
const listed = when('with the listed version', (ctx) => versionOf(ctx) === earliestStable);
const unlisted = when('with another version', (ctx) => ![undefined, earliestStable].includes(versionOf(ctx)));
/** Never holds for the listed version. */
const version = (name: string, holds: (value: string) => boolean): Condition =>
  all(
    unlisted,
    when(name, (ctx) => holds(versionOf(ctx) ?? '')),
  );
const date = all(management, version('a date', isDate));
const dateOn = (id: OperationId): Condition => all(on(id), date);
const previewOn = (id: OperationId): Condition => all(on(id), version('a preview', isPreview));
const byApiKey = when('by API key', isFromApiKey);
const byBrandHeader = when('by brand header', isByBrandHeader);
const sends = (name: string): Condition => when(`with ${name}`, ({ query }) => query[name] !== undefined);
const deletion = when('a deletion', ({ method }) => method === 'DELETE');
const refusedVersion = when(
  'a refused version',
  (ctx) => ctx.state.reply?.status === 400 && (bodyOf(ctx) as { error?: unknown }).error === 'invalid_api_version',
);

const useVersion = (kind: string, value: string | undefined): Effect => ({
  kind,
  wrap: (app, applies) => (ctx) => (applies(ctx) ? runWithVersion(app, ctx, value) : app(ctx)),
});
const acceptVersion = useVersion('accept as corrected', earliestStable);
const refuseVersion = useVersion('refuse', `${earliestStable} `);
const ignoreVersion = useVersion('ignore header', undefined);

const applyThenRefuse: Effect = {
  kind: 'apply what is refused',
  wrap: (app, applies) => async (ctx) => {
    if (applies(ctx)) await runWithVersion(app, ctx, undefined);
    await app(ctx);
  },
};
const usePreviousVersion: Effect = {
  kind: 'remember header',
  wrap: (app) => {
    let previous: string | undefined;
    return async (ctx) => {
      const sent = ctx.get(ctx.state.world.headers.version) || undefined;
      await runWithVersion(app, ctx, sent ?? previous);
      previous = sent ?? previous;
    };
  },
};
const useFirstVersion: Effect = {
  kind: 'remember header',
  wrap: (app) => {
    const callers = new Set<string>();
    return async (ctx) => {
      const [caller, sent] = [ctx.get('authorization'), ctx.get(ctx.state.world.headers.version)];
      await (callers.has(caller) && sent !== '' ? runWithVersion(app, ctx, earliestStable) : app(ctx));
      if (sent === earliestStable) callers.add(caller);
    };
  },
};

const changeBody = (edit: (body: object) => object): Effect =>
  afterResponse('change response', (ctx) => {
    ctx.state.reply = { ...ctx.state.reply!, body: edit(bodyOf(ctx) as object) };
  });
const changeStatus = (status: number): Effect =>
  afterResponse('change status', ({ state }) => {
    state.reply = { ...state.reply!, status };
  });
const addMember = changeBody((body) => ({ ...body, legacy: true }));
const omitCode = changeBody((body: { readonly code?: number }) => {
  const { code: _, ...rest } = body;
  return rest;
});
/** `$value` in the message becomes the version that was sent. */
const changeMessage = (edit: (message: string, value: string) => string): Effect =>
  afterResponse('change message', (ctx) => {
    const body = bodyOf(ctx) as { message: string };
    const value = versionOf(ctx) ?? '';
    const message = edit(body.message, value).replace('$value', () => value);
    ctx.state.reply = { ...ctx.state.reply!, body: { ...body, message } };
  });
const omitValue = changeMessage(() => `Valid versions: ${earliestStable}`);

const succeeds = when('accepted', ({ state }) => state.reply !== undefined && state.reply.status < 300);
const succeedsWithoutVersion = (id: OperationId): Condition => all(on(id), withoutVersion, succeeds);
const returns200WithoutVersion = (id: OperationId): Condition => all(on(id), withoutVersion, statusIs(200));

/** The header is ignored unless its name is spelled like this. */
const spelling = (name: string, holds: (spelled: string, documented: string) => boolean): Condition =>
  when(name, (ctx) => {
    const documented = ctx.state.world.headers.version;
    const spelled = ctx.req.rawHeaders.find(
      (raw, at) => at % 2 === 0 && raw.toLowerCase() === documented.toLowerCase(),
    );
    return spelled === undefined || holds(spelled, documented);
  });

export const versionsDeviations: Table = {
  'versions.default.absent-header-means-earliest-stable': {
    'adds a member to integration info if no version is sent': [succeedsWithoutVersion('getIntegration'), addMember],
    'omits the code of an unknown integration’s error if no version is sent': [
      all(on('getIntegration'), withoutVersion, statusIs(404)),
      omitCode,
    ],
    'returns 203 for the list of accounts if no version is sent': [
      returns200WithoutVersion('listAccounts'),
      changeStatus(203),
    ],
    'adds a member to a created VPC if no version is sent': [succeedsWithoutVersion('createVpc'), addMember],
    'adds a member to an updated agent if no version is sent': [succeedsWithoutVersion('updateAgent'), addMember],
    'returns 202 for the deletion of a preview token if no version is sent': [
      returns200WithoutVersion('deleteSandboxPreviewToken'),
      changeStatus(202),
    ],
    'uses the previous version if none is sent': usePreviousVersion,
  },
  'versions.listed.accepted-everywhere': {
    'refuses the listed version for deleteVolumeTemplateVersion': [
      all(on('deleteVolumeTemplateVersion'), listed),
      refuseVersion,
    ],
    'refuses the listed version for updateAgent': [all(on('updateAgent'), listed), refuseVersion],
    'refuses the listed version for listMetricsGroupBy': [all(on('listMetricsGroupBy'), listed), refuseVersion],
    'refuses the listed version for listAccounts from API keys': [
      all(on('listAccounts'), listed, byApiKey),
      refuseVersion,
    ],
    'refuses the listed version for getIntegration by brand header': [
      all(on('getIntegration'), listed, byBrandHeader),
      refuseVersion,
    ],
    'refuses the listed version for getAccountMetrics with groupBy': [
      all(on('getAccountMetrics'), listed, sends('groupBy')),
      refuseVersion,
    ],
  },
  'versions.unknown.stable-date-refused': {
    'accepts dates after the listed version': [
      all(
        management,
        version('a later date', (value) => isDate(value) && value > earliestStable),
      ),
      acceptVersion,
    ],
    'accepts the day before the listed version': [
      all(
        management,
        version('the day before', (value) => value === '2026-04-15'),
      ),
      acceptVersion,
    ],
    'accepts any date for the list of dimensions': [dateOn('listMetricsGroupBy'), acceptVersion],
    'accepts any date for a new VPC': [dateOn('createVpc'), acceptVersion],
    'accepts any date for the deletion of a preview token': [dateOn('deleteSandboxPreviewToken'), acceptVersion],
    'accepts any date from API keys': [all(date, byApiKey), acceptVersion],
    'accepts any date for an agent update from API keys': [all(dateOn('updateAgent'), byApiKey), acceptVersion],
    'accepts any date by brand header': [all(date, byBrandHeader), acceptVersion],
    'accepts any date with groupBy': [all(date, sends('groupBy')), acceptVersion],
    'accepts any date with cursor': [all(date, sends('cursor')), acceptVersion],
    'refuses an unlisted date with error bad_request': [
      all(date, refusedVersion),
      changeBody((body) => ({ ...body, error: 'bad_request' })),
    ],
    'refuses an unlisted date with 406': [all(date, refusedVersion), changeStatus(406)],
    'returns 404 for the deletion of a preview token with an unlisted date': [
      all(dateOn('deleteSandboxPreviewToken'), refusedVersion),
      changeStatus(404),
    ],
    'replaces every version by the first that the caller sent': useFirstVersion,
  },
  'versions.unknown.preview-refused': {
    'accepts the preview of the listed version': [
      all(
        management,
        version('its preview', (value) => value === `${earliestStable}.preview`),
      ),
      acceptVersion,
    ],
    'accepts every preview except that of the listed version': [
      all(
        management,
        version('another preview', (value) => isPreview(value) && !value.startsWith(earliestStable)),
      ),
      acceptVersion,
    ],
    'accepts any preview for the list of accounts': [previewOn('listAccounts'), acceptVersion],
    'accepts any preview for the deletion of a template version': [
      previewOn('deleteVolumeTemplateVersion'),
      acceptVersion,
    ],
    'accepts any preview with resourceName': [
      all(management, version('a preview', isPreview), sends('resourceName')),
      acceptVersion,
    ],
  },
  'versions.unknown.malformed-refused': {
    'accepts latest as a version': [
      all(
        management,
        version('latest', (value) => value === 'latest'),
      ),
      acceptVersion,
    ],
    'accepts the month of the listed version': [
      all(
        management,
        version('the month', (value) => value === earliestStable.slice(0, 7)),
      ),
      acceptVersion,
    ],

    'accepts malformed versions that start with the listed one': [
      all(
        management,
        version('with characters appended', (value) => value.startsWith(earliestStable) && isMalformed(value)),
      ),
      acceptVersion,
    ],
    'accepts versions that end with the listed one': [
      all(
        management,
        version('with characters prepended', (value) => value.endsWith(earliestStable)),
      ),
      acceptVersion,
    ],
    'accepts versions without a digit': [
      all(
        management,
        version('without a digit', (value) => value !== '' && !/\d/.test(value)),
      ),
      acceptVersion,
    ],
    'accepts dates that do not exist': [
      all(
        management,
        version('an impossible date', (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !isDate(value)),
      ),
      acceptVersion,
    ],
    'accepts malformed versions for the deletion of unused images': [
      all(on('deleteUnusedImages'), version('malformed', isMalformed)),
      acceptVersion,
    ],
    'accepts a date with slashes': [
      all(
        management,
        version('a date with slashes', (value) => isDate(value.replaceAll('/', '-'))),
      ),
      acceptVersion,
    ],
    'accepts the listed version in quotes': [
      all(
        management,
        version('the listed version in quotes', (value) => value === `"${earliestStable}"`),
      ),
      acceptVersion,
    ],
    'accepts a preview in upper case': [
      all(
        management,
        version('a preview in upper case', (value) => !isPreview(value) && isPreview(value.toLowerCase())),
      ),
      acceptVersion,
    ],
    'accepts a month of one digit': [
      all(
        management,
        version('an unpadded date', (value) => value === '2026-4-16'),
      ),
      acceptVersion,
    ],
  },
  'versions.unknown.message-names-it-and-the-valid-ones': {
    'omits the valid versions from the message about an unknown version': [
      all(management, refusedVersion),
      changeMessage(() => 'That version is unknown: $value'),
    ],
    'omits the value from the message about an unknown version': [all(management, refusedVersion), omitValue],
    'returns the message about an unknown version in lower case': [
      all(management, refusedVersion),
      changeMessage((message) => message.toLowerCase()),
    ],
    'truncates the value to ten characters in the message about an unknown version': [
      all(management, refusedVersion),
      changeMessage((message, value) => message.replace(value, value.slice(0, 10))),
    ],
    'truncates the value to 32 characters in the message about an unknown version': [
      all(management, refusedVersion),
      changeMessage((message, value) => message.replace(value, value.slice(0, 32))),
    ],
    'omits the value from the message about an unknown version of a deletion': [
      all(management, deletion, refusedVersion),
      omitValue,
    ],
  },
  'versions.header.name-any-case': {
    'ignores the version header unless it is spelled as documented or in lower case': [
      not(spelling('as documented or in lower case', (name, own) => [own, own.toLowerCase()].includes(name))),
      ignoreVersion,
    ],
    'ignores the version header in capitals': [
      not(spelling('not in capitals', (name) => name !== name.toUpperCase())),
      ignoreVersion,
    ],
    'ignores the version header in lower case': [
      not(spelling('not in lower case', (name) => name !== name.toLowerCase())),
      ignoreVersion,
    ],
  },
  'versions.unknown.has-no-effect': {
    'refuses an unknown version only after it runs createVpc': [all(on('createVpc'), unlisted), applyThenRefuse],
    'refuses an unknown version only after it runs createFunction': [
      all(on('createFunction'), unlisted),
      applyThenRefuse,
    ],
    'refuses an unknown version only after it runs createIntegrationConnection': [
      all(on('createIntegrationConnection'), unlisted),
      applyThenRefuse,
    ],
    'refuses an unknown version only after it runs updateAgent': [all(on('updateAgent'), unlisted), applyThenRefuse],
    'sets the triggers of an update but refuses its version': [
      all(on('updateAgent'), unlisted),
      storeRefused(400, withMembers('triggers')),
    ],
    'disables an agent by an update but refuses its version': [
      all(on('updateAgent'), unlisted),
      storeRefused(400, withMembers('enabled')),
    ],
    'refuses an unknown version only after it runs deleteSandboxPreviewToken': [
      all(on('deleteSandboxPreviewToken'), unlisted),
      applyThenRefuse,
    ],
    'refuses an unknown version only after it runs deleteVolumeTemplateVersion': [
      all(on('deleteVolumeTemplateVersion'), unlisted),
      applyThenRefuse,
    ],
    'refuses an unknown version only after it runs deleteUnusedImages': [
      all(on('deleteUnusedImages'), unlisted),
      applyThenRefuse,
    ],
  },
};
