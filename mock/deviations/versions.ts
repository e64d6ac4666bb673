/** Deviations of the version header. */
import { earliestStable } from '../../spec/versions.ts';
import type { App } from '../pipeline/app.ts';
import type { Context } from '../pipeline/context.ts';
import { bodyOf } from '../wrap/wrapping.ts';
import { byApiKey, inHeader, sends, statusIs } from './auth/conditions.ts';
import { afterResponse, stored } from './auth/effects.ts';
import { all, always, managementWrites, on, onSurface, when, type Condition } from './conditions.ts';
import type { Effect } from './deviation.ts';
import { across, type Row, type Table } from './table.ts';

const management = onSurface('management');
const byBrandHeader = inHeader('brand');

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
const date = version('with another date', isDate);
const preview = version('with a preview', isPreview);
const malformed = version('with a malformed version', isMalformed);
const deletion = when('of a deletion', ({ method }) => method === 'DELETE');
const refusedVersion = all(
  management,
  when(
    'with a refused version',
    (ctx) => ctx.state.reply?.status === 400 && (bodyOf(ctx) as { error?: unknown }).error === 'invalid_api_version',
  ),
);

const useVersion = (kind: string, value: string | undefined): Effect => ({
  kind,
  wrap: (app, applies) => (ctx) => (applies(ctx) ? runWithVersion(app, ctx, value) : app(ctx)),
});
const acceptVersion = useVersion('accept as corrected', earliestStable);
/** Accepts such versions for every operation. */
const accepts = (holds: (value: string) => boolean): Row => [
  all(management, version('with one', holds)),
  acceptVersion,
];

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
const omitCode = changeBody((body) => ({ ...body, code: undefined }));
/** `$value` in the message becomes the version that was sent. */
const changeMessage = (edit: (message: string, value: string) => string): Row => [
  refusedVersion,
  afterResponse('change message', (ctx) => {
    const body = bodyOf(ctx) as { message: string };
    const value = versionOf(ctx) ?? '';
    const message = edit(body.message, value).replace('$value', () => value);
    ctx.state.reply = { ...ctx.state.reply!, body: { ...body, message } };
  }),
];
const omitValue = changeMessage(() => `Valid versions: ${earliestStable}`);

/** Ignores the header if its name is spelled like this. */
const ignoreSpelling = (isIgnored: (spelled: string, documented: string) => boolean): Row => [
  when('with another spelling', (ctx) => {
    const documented = ctx.state.world.headers.version;
    const names = ctx.req.rawHeaders.filter((_, at) => at % 2 === 0);
    const spelled = names.find((name) => name.toLowerCase() === documented.toLowerCase());
    return spelled !== undefined && isIgnored(spelled, documented);
  }),
  useVersion('ignore header', undefined),
];

export const versionsDeviations: Table = {
  'versions.default.absent-header-means-earliest-stable': {
    ...across([on('getIntegration'), on('createVpc'), on('updateAgent')], {
      'adds a member to a success without a version': [all(withoutVersion, statusIs(200)), addMember],
    }),
    'omits the code of an error without a version': [
      all(on('getIntegration'), withoutVersion, statusIs(404)),
      omitCode,
    ],
    ...across([on('listAccounts'), on('deleteSandboxPreviewToken')], {
      'returns 203 without a version': [all(withoutVersion, statusIs(200)), changeStatus(203)],
    }),
    'uses the previous version if none is sent': usePreviousVersion,
  },
  'versions.listed.accepted-everywhere': across(
    [
      on('deleteVolumeTemplateVersion'),
      on('updateAgent'),
      on('listMetricsGroupBy'),
      all(on('listAccounts'), byApiKey),
      all(on('getIntegration'), byBrandHeader),
      all(on('getAccountMetrics'), sends('groupBy')),
    ],
    { 'refuses the listed version': [listed, useVersion('refuse', `${earliestStable} `)] },
  ),
  'versions.unknown.stable-date-refused': {
    'accepts dates after the listed version': accepts((value) => isDate(value) && value > earliestStable),
    'accepts the day before the listed version': accepts((value) => value === '2026-04-15'),
    ...across(
      [
        on('listMetricsGroupBy'),
        on('createVpc'),
        on('deleteSandboxPreviewToken'),
        all(management, byApiKey),
        all(on('updateAgent'), byApiKey),
        all(management, byBrandHeader),
        sends('groupBy'),
        sends('cursor'),
      ],
      { 'accepts any date': [date, acceptVersion] },
    ),
    'refuses an unlisted date with error bad_request': [
      all(date, refusedVersion),
      changeBody((body) => ({ ...body, error: 'bad_request' })),
    ],
    'refuses an unlisted date with 406': [all(date, refusedVersion), changeStatus(406)],
    'refuses an unlisted date of a deletion with 404': [all(date, deletion, refusedVersion), changeStatus(404)],
    'replaces every version by the first that the caller sent': useFirstVersion,
  },
  'versions.unknown.preview-refused': {
    'accepts the preview of the listed version': accepts((value) => value === `${earliestStable}.preview`),
    'accepts every preview except that of the listed version': accepts(
      (value) => isPreview(value) && !value.startsWith(earliestStable),
    ),
    ...across([on('listAccounts'), on('deleteVolumeTemplateVersion'), sends('resourceName')], {
      'accepts any preview': [preview, acceptVersion],
    }),
  },
  'versions.unknown.malformed-refused': {
    'accepts latest as a version': accepts((value) => value === 'latest'),
    'accepts the month of the listed version': accepts((value) => value === earliestStable.slice(0, 7)),
    'accepts malformed versions that start with the listed one': accepts(
      (value) => value.startsWith(earliestStable) && isMalformed(value),
    ),
    'accepts versions that end with the listed one': accepts((value) => value.endsWith(earliestStable)),
    'accepts versions without a digit': accepts((value) => value !== '' && !/\d/.test(value)),
    'accepts dates that do not exist': accepts((value) => /^\d{4}-\d\d-\d\d$/.test(value) && !isDate(value)),
    'accepts malformed versions for the deletion of unused images': [
      all(on('deleteUnusedImages'), malformed),
      acceptVersion,
    ],
    'accepts a date with slashes': accepts((value) => isDate(value.replaceAll('/', '-'))),
    'accepts the listed version in quotes': accepts((value) => value === `"${earliestStable}"`),
    'accepts a preview in upper case': accepts((value) => !isPreview(value) && isPreview(value.toLowerCase())),
    'accepts a month of one digit': accepts((value) => value === '2026-4-16'),
  },
  'versions.unknown.message-names-it-and-the-valid-ones': {
    'omits the valid versions from the message': changeMessage(() => 'That version is unknown: $value'),
    ...across([always, deletion], { 'omits the value from the message': omitValue }),
    'returns the message in lower case': changeMessage((message) => message.toLowerCase()),
    'truncates the value to ten characters in the message': changeMessage((message, value) =>
      message.replace(value, value.slice(0, 10)),
    ),
    'truncates the value to 32 characters in the message': changeMessage((message, value) =>
      message.replace(value, value.slice(0, 32)),
    ),
  },
  'versions.header.name-any-case': {
    'ignores the version header unless it is spelled as documented or in lower case': ignoreSpelling(
      (name, own) => ![own, own.toLowerCase()].includes(name),
    ),
    'ignores the version header in capitals': ignoreSpelling((name) => name === name.toUpperCase()),
    'ignores the version header in lower case': ignoreSpelling((name) => name === name.toLowerCase()),
  },
  'versions.unknown.has-no-effect': {
    ...across(
      [
        ...managementWrites,
        all(on('updateAgent'), preview),
        all(on('createVpc'), malformed),
        all(on('deleteVolumeTemplateVersion'), date),
      ],
      { 'refuses an unknown version only after it responds': [unlisted, applyThenRefuse] },
    ),
    ...stored(all(on('updateAgent'), unlisted), 400),
  },
};
