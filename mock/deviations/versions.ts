/** Faults in how the version header is taken. */
import { deviationsOf } from './table.ts';
import { operations } from '../../spec/operations.ts';
import type { OperationId } from '../../spec/operations.ts';
import { earliestStable } from '../../spec/versions.ts';
import type { Context } from '../pipeline/context.ts';
import { anew } from './anew.ts';
import { setsInSpite, withMembers } from './auth/faults.ts';
import { isByBrandHeader, isFromApiKey } from './writes.ts';
import { bodyOf, isFor, onRefusal, repliesWith, type App, type Deviation, type Deviations } from './deviation.ts';

const managementIds = operations.filter(({ surface }) => surface === 'management').map(({ id }) => id);

export const versionsDeviations: Deviations = deviationsOf({
  'versions.default.absent-header-means-earliest-stable': {
    '': unnamed('shows one more member of integration info', ['getIntegration'], 'success'),
    errors: unnamed('leaves an unknown integration’s error without its code', ['getIntegration'], 'refusal'),
    status: statusWithoutHeader('answers 203 for the list of accounts', 'listAccounts', 203),
    writes: unnamed('shows one more member of a created VPC', ['createVpc'], 'success'),
    update: unnamed('shows one more member of an updated agent', ['updateAgent'], 'success'),
    deletion: statusWithoutHeader('answers 202 to the deletion of a preview token', 'deleteSandboxPreviewToken', 202),
    remembered: anew('Uses the previous version if none is sent', (what) => {
      let last: string | undefined;
      const wrap =
        (app: App): App =>
        async (ctx) => {
          const named = ctx.get(ctx.state.world.headers.version) || undefined;
          await askedAsVersion(app, ctx, named ?? last);
          last = named ?? last;
        };
      return { what, wrap };
    }),
  },

  'versions.listed.accepted-everywhere': {
    '': refusesListed('deleteVolumeTemplateVersion'),
    'agent-update': refusesListed('updateAgent'),
    enum: refusesListed('listMetricsGroupBy'),
    'api-key': fromApiKeys(refusesListed('listAccounts')),
    'brand-header': fromBrandHeader(refusesListed('getIntegration')),
    grouped: beside('groupBy', refusesListed('getAccountMetrics')),
  },

  'versions.unknown.stable-date-refused': {
    '': accepts('a date later than the listed one', (value) => isDate(value) && value > earliestStable),
    'day-before': accepts('the day before the listed one', (value) => value === '2026-04-15'),
    'one-operation': accepts('any date when the enum of dimensions is asked', isDate, ['listMetricsGroupBy']),
    'one-create': accepts('any date when a VPC is created', isDate, ['createVpc']),
    deletion: accepts('any date when a preview token is deleted', isDate, ['deleteSandboxPreviewToken']),
    'api-key': fromApiKeys(accepts('any date', isDate)),
    'update-by-api-key': fromApiKeys(accepts('any date when an agent is updated', isDate, ['updateAgent'])),
    'brand-header': fromBrandHeader(accepts('any date', isDate)),
    grouped: beside('groupBy', accepts('any date', isDate)),
    'later-pages': beside('cursor', accepts('any date', isDate)),
    'other-error': refusedOtherwise('with error bad_request', isDate, {
      error: 'bad_request',
    }),
    'other-status': refusedOtherwise('with 406', isDate, { status: 406 }),
    remembered: anew('Replaces every version by the first that the caller sent', (what) => {
      const known = new Set<string>();
      const wrap =
        (app: App): App =>
        async (ctx) => {
          const [caller, named] = [ctx.get('authorization'), ctx.get(ctx.state.world.headers.version)];
          await (known.has(caller) && named !== '' ? askedAsVersion(app, ctx, earliestStable) : app(ctx));
          if (named === earliestStable) known.add(caller);
        };
      return { what, wrap };
    }),
  },

  'versions.unknown.preview-refused': {
    '': accepts('the preview of the listed one', (value) => value === `${earliestStable}.preview`),
    'other-dates': accepts(
      'every preview but the one of the listed version',
      (value) => isPreview(value) && !value.startsWith(earliestStable),
    ),
    'one-operation': accepts('any preview when accounts are listed', isPreview, ['listAccounts']),
    deletion: accepts('any preview when a template version is deleted', isPreview, ['deleteVolumeTemplateVersion']),
    filtered: beside('resourceName', accepts('any preview', isPreview)),
  },

  'versions.unknown.malformed-refused': {
    '': accepts('latest', (value) => value === 'latest'),
    tail: accepts(
      'whatever begins with the listed one, previews apart',
      (value) => value.startsWith(earliestStable) && isMalformed(value),
    ),
    head: accepts('whatever ends with the listed one', (value) => value.endsWith(earliestStable)),
    'no-digit': accepts('what has no digit in it', (value) => value !== '' && !/\d/.test(value)),
    'no-date': accepts(
      'a date that the calendar does not have',
      (value) => /^\d{4}-\d\d-\d\d$/.test(value) && !isDate(value),
    ),
    images: accepts('what is neither when images are cleaned up', isMalformed, ['deleteUnusedImages']),
    unpadded: accepts('a month of one digit', (value) => value === '2026-4-16'),
  },

  'versions.unknown.message-names-it-and-the-valid-ones': {
    '': message('leaves the valid versions out', () => 'That version is unknown: $value'),
    value: message('leaves the value out', () => `Valid versions: ${earliestStable}`),
    'lower-case': message('tells the value in lower case', (text) => text.toLowerCase()),
    'cut-short': message('cuts the value after ten characters', (text, value) =>
      text.replace(value, value.slice(0, 10)),
    ),
    deletion: only(
      'of a deletion',
      ({ method }) => method === 'DELETE',
      message('leaves the value out', () => `Valid versions: ${earliestStable}`),
    ),
  },

  'versions.header.name-any-case': {
    '': onlySpelt(
      'as documented or in lower case',
      (name, documented) => name === documented || name === documented.toLowerCase(),
    ),
    capitals: onlySpelt('other than in capitals', (name) => name !== name.toUpperCase()),
    lower: onlySpelt('other than in lower case', (name) => name !== name.toLowerCase()),
  },

  'versions.unknown.has-no-effect': {
    '': refusesTooLate('createVpc'),
    function: refusesTooLate('createFunction'),
    connection: refusesTooLate('createIntegrationConnection'),
    update: refusesTooLate('updateAgent'),
    triggers: setsInSpite(
      'Sets the triggers of an update but refuses its version',
      400,
      isUnlistedUpdate,
      withMembers('triggers'),
    ),
    enabled: setsInSpite(
      'Disables an agent by an update but refuses its version',
      400,
      isUnlistedUpdate,
      withMembers('enabled'),
    ),
    deletion: refusesTooLate('deleteSandboxPreviewToken'),
    'template-version': refusesTooLate('deleteVolumeTemplateVersion'),
    images: refusesTooLate('deleteUnusedImages'),
  },
});

function isDate(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value) && new Date(value).toJSON()?.startsWith(value) === true;
}

function isPreview(value: string): boolean {
  return value.endsWith('.preview') && isDate(value.slice(0, -'.preview'.length));
}

function isMalformed(value: string): boolean {
  return !isDate(value) && !isPreview(value);
}

/** The value sent, undefined where the header is absent. */
function versionOf(ctx: Context): string | undefined {
  const value = ctx.headers[ctx.state.world.headers.version.toLowerCase()];
  return value === undefined ? undefined : String(value);
}

/** Runs the app as if the version header were another one, undefined for none. */
async function askedAsVersion(app: App, ctx: Context, version: string | undefined): Promise<void> {
  const name = ctx.state.world.headers.version.toLowerCase();
  const { [name]: sent, ...others } = ctx.req.headers;
  ctx.req.headers = version === undefined ? others : { ...others, [name]: version };
  try {
    await app(ctx);
  } finally {
    ctx.req.headers = sent === undefined ? others : { ...others, [name]: sent };
  }
}

function isUnlistedUpdate(ctx: Context): boolean {
  const version = versionOf(ctx);
  return version !== undefined && version !== earliestStable && isFor(ctx, ['updateAgent']);
}

function concerns(
  ctx: Context,
  value: string | undefined,
  is: (value: string) => boolean,
  ids: readonly OperationId[],
): boolean {
  return value !== undefined && value !== earliestStable && is(value) && isFor(ctx, ids);
}

function accepts(what: string, is: (value: string) => boolean, ids: readonly OperationId[] = managementIds): Deviation {
  const wrap =
    (app: App): App =>
    (ctx) =>
      concerns(ctx, versionOf(ctx), is, ids) ? askedAsVersion(app, ctx, earliestStable) : app(ctx);
  return { what: `accepts ${what} as a version`, wrap };
}

/** The same fault, for some requests alone. */
function only(where: string, isOne: (ctx: Context) => boolean, { what, wrap }: Deviation): Deviation {
  const wrapOne = (app: App): App => {
    const faulty = wrap(app);
    return (ctx) => (isOne(ctx) ? faulty(ctx) : app(ctx));
  };
  return { what: `${what} ${where}`, wrap: wrapOne };
}

function fromApiKeys(fault: Deviation): Deviation {
  return only('from callers with an API key', isFromApiKey, fault);
}

function fromBrandHeader(fault: Deviation): Deviation {
  return only('from callers with their credential in the brand’s header', isByBrandHeader, fault);
}

function beside(parameter: string, fault: Deviation): Deviation {
  return only(`beside ${parameter}`, ({ query }) => query[parameter] !== undefined, fault);
}

function refusedOtherwise(
  what: string,
  is: (value: string) => boolean,
  { status, error }: { status?: number; error?: string },
): Deviation {
  return repliesWith(`refuses an unlisted date ${what}`, (reply, ctx) => {
    if (!isRefusedVersion(ctx) || !concerns(ctx, versionOf(ctx), is, managementIds)) return undefined;
    const body = { ...(bodyOf(ctx) as object), ...(error === undefined ? {} : { error }) };
    return { ...reply, status: status ?? reply.status, body };
  });
}

function isRefusedVersion(ctx: Context): boolean {
  const { reply } = ctx.state;
  return reply?.status === 400 && (bodyOf(ctx) as { error?: unknown }).error === 'invalid_api_version';
}

/** Edits the message of refused versions; `$value` stands for the value sent. */
function message(what: string, edit: (text: string, value: string) => string): Deviation {
  return onRefusal(
    `${what} in the message about an unknown version`,
    managementIds,
    (body: { error: string; message: string }, ctx) => {
      if (body.error !== 'invalid_api_version') return body;
      const value = versionOf(ctx) ?? '';
      return { ...body, message: edit(body.message, value).replace('$value', () => value) };
    },
  );
}

function unnamed(what: string, ids: readonly OperationId[], answers: 'success' | 'refusal'): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply === undefined || versionOf(ctx) !== undefined || !isFor(ctx, ids)) return;
      if (answers === 'success' && reply.status < 300)
        ctx.state.reply = { ...reply, body: { ...(bodyOf(ctx) as object), legacy: true } };
      if (answers === 'refusal' && reply.status === 404) {
        const { code: _, ...rest } = bodyOf(ctx) as { code?: number };
        ctx.state.reply = { ...reply, body: rest };
      }
    };
  return { what: `${what} where no version is named`, wrap };
}

function statusWithoutHeader(what: string, id: OperationId, status: number): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      await app(ctx);
      const { reply } = ctx.state;
      if (reply?.status === 200 && versionOf(ctx) === undefined && isFor(ctx, [id]))
        ctx.state.reply = { ...reply, status };
    };
  return { what: `${what} where no version is named`, wrap };
}

function refusesListed(id: OperationId): Deviation {
  const wrap =
    (app: App): App =>
    (ctx) => {
      if (versionOf(ctx) !== earliestStable || !isFor(ctx, [id])) return app(ctx);
      return askedAsVersion(app, ctx, `${earliestStable} `);
    };
  return { what: `refuses the listed version at ${id}`, wrap };
}

/** Sees the header only where its name is written in one way. */
function onlySpelt(what: string, isSeen: (name: string, documented: string) => boolean): Deviation {
  const wrap =
    (app: App): App =>
    (ctx) => {
      const name = ctx.state.world.headers.version.toLowerCase();
      const written = ctx.req.rawHeaders.find((raw, index) => index % 2 === 0 && raw.toLowerCase() === name);
      return written === undefined || isSeen(written, ctx.state.world.headers.version)
        ? app(ctx)
        : askedAsVersion(app, ctx, undefined);
    };
  return { what: `sees the version header only when it is written ${what}`, wrap };
}

/** Does what is asked, then refuses the version. */
function refusesTooLate(id: OperationId): Deviation {
  const wrap =
    (app: App): App =>
    async (ctx) => {
      const version = versionOf(ctx);
      const unlisted = version !== undefined && version !== earliestStable && isFor(ctx, [id]);
      if (unlisted) await askedAsVersion(app, ctx, undefined);
      await app(ctx);
    };
  return { what: `refuses an unknown version only after ${id} has been done`, wrap };
}
