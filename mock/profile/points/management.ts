/** management.undocumented.*: forms and statuses of the management API that are not shown. */
import type { OperationId } from '../../../spec/operations.ts';
import type { Context } from '../../pipeline/context.ts';
import type { Reply } from '../../http/reply.ts';
import { answersAs, answersWith, isSuccess, isTo, memberOf, refusesWhen, type Answers } from '../layers.ts';
import { cannot, follows, layered, ofForm, sameAs, type Point, type Points } from '../point.ts';
import type { Form } from '../recast.ts';
import { readShape } from '../read-shape.ts';
import { isObject } from '../../http/json-object.ts';

function shape(own: string, id: OperationId): Point {
  return {
    own,
    allowed: 'a form, as "{data list, metadata {name}}", "a list of string" or "status 404"',
    follow: (saw) => {
      if (/^status \d{3}$/.test(saw)) return cannot('the mock answers what it has done, and what is there');
      if (saw.includes('empty list')) return cannot('the mock answers what it has done, and what is there');
      const form = readShape(saw);
      return form && layered(answersAs((ctx, reply) => isSuccess(reply) && isTo(id)(ctx), { form }));
    },
  };
}

const METADATA = '{createdAt, createdBy, displayName, labels object, name, plan, updatedAt, updatedBy, workspace}';

const CONNECTION = 'the answer of createIntegrationConnection';

export const shapePoints: Points = {
  'the list of accounts': shape('a list of {displayName, id, plan, workspaces list}', 'listAccounts'),
  [CONNECTION]: shape(`{metadata ${METADATA}, spec {integration, secret object}}`, 'createIntegrationConnection'),
  'the answer of createFunction': shape(
    `{events list, metadata ${METADATA.replace('updatedBy', 'updatedBy, url')}, spec {integrationConnections list, runtime object, type}, status}`,
    'createFunction',
  ),
  'the secrets in the answer of createIntegrationConnection': ofForm(
    'not repeated',
    '"not repeated", or how many as "3 of 3 repeated"',
    /^(?:not repeated|(?<shown>\d+) of (?<all>\d+) repeated)$/,
    ({ shown, all }, _, { seenAt }) => {
      if (seenAt(CONNECTION)?.includes('secret object') !== true) return cannot('its form has no place for them');
      if (shown !== all) return cannot('which of them are shown is not told');
      return shown === undefined
        ? follows
        : layered(
            answersWith((ctx, reply) => isSuccess(reply) && isTo('createIntegrationConnection')(ctx), withSecrets),
          );
    },
  ),
  'the secrets where what createIntegrationConnection made is read': ofForm(
    'not repeated',
    '"not repeated", or how many as "3 of 3 repeated"',
    /^\d+ of \d+ repeated$/,
    () => cannot('the mock keeps no secret'),
  ),
};

function withSecrets(body: unknown, ctx: Context): unknown {
  if (!isObject(body)) return body;
  return { ...body, spec: { ...(body['spec'] as object), secret: memberOf(ctx.state.body, 'spec', 'secret') } };
}

/** What is not there, by the noun that the mock's own refusal begins with. */
const missing =
  (id: OperationId, noun: string): Answers =>
  (ctx: Context, reply: Reply) =>
    reply.status === 404 && isTo(id)(ctx) && String(memberOf(reply.body, 'message')).startsWith(`${noun} "`);

function status(own: string, answers: Answers, why?: string): Point {
  return ofForm(own, 'a status', /^(?<status>[2-5]\d\d)$/, (saw) => {
    const wanted = Number(saw['status']);
    if (wanted >= 300) return layered(answersAs(answers, { status: wanted }));
    if (why !== undefined) return cannot(why);
    const form: Form = { is: 'object', members: { message: undefined } };
    return layered(answersAs(answers, { status: wanted, form }));
  });
}

/** Refused for what the body names. */
const naming =
  (id: OperationId, field: string): Answers =>
  (ctx, reply) =>
    reply.status === 400 && isTo(id)(ctx) && String(memberOf(reply.body, 'message')).startsWith(field);

const token = 'deleteSandboxPreviewToken';
const version = 'deleteVolumeTemplateVersion';

const GONE = 'what is deleted is gone (sandboxes.preview-tokens.*, volume-templates.versions.*)';

export const statusPoints: Points = {
  'an unknown integration': status('404', missing('getIntegration', 'Integration'), 'there is nothing to say of it'),
  'a preview token of an unknown sandbox': status('404', missing(token, 'Sandbox')),
  'a token of an unknown preview': status('404', missing(token, 'Preview')),
  'an unknown token of a preview': status('404', missing(token, 'Preview token'), GONE),
  'a version of an unknown template': status('404', missing(version, 'Volume template')),
  'an unknown version of a template': status('404', missing(version, 'Volume template version'), GONE),
  'a connection to an unknown integration': status(
    '400',
    naming('createIntegrationConnection', 'spec.integration '),
    'the mock must know which secrets an integration takes',
  ),
  'a function that names an unknown connection': status(
    '400',
    naming('createFunction', 'spec.integrationConnections'),
    'the mock binds functions to connections that are there',
  ),
  'a function that names a connection just removed': sameAs(
    'a function that names an unknown connection',
    ofForm('400', 'a status', /^[2-5]\d\d$/, () => cannot('the mock does not remember what was removed')),
  ),
  'a function that names two connections': ofForm('200', 'a status', /^(?<status>[2-5]\d\d)$/, (saw) => {
    const isOne = (ctx: Context): boolean => {
      const names = memberOf(ctx.state.body, 'spec', 'integrationConnections');
      return isTo('createFunction')(ctx) && Array.isArray(names) && names.length > 1;
    };
    const wanted = Number(saw['status']);
    return layered(
      wanted < 300
        ? answersAs((ctx, reply) => isSuccess(reply) && isOne(ctx), { status: wanted })
        : refusesWhen(isOne, wanted),
    );
  }),
};
