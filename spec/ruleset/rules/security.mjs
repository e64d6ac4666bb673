// @ts-check
/** Who may call: kinds of credential, scopes, and operations that are open. */
import { below, entriesOf, finding, textOf } from '../document/place.mjs';
import { scopeActions } from '../values.mjs';
import { listed, rule } from './rule.mjs';

/** @typedef {import('../document/model.mjs').Model} Model */
/** @typedef {import('../document/model.mjs').Operation} Operation */
/** @typedef {import('../document/place.mjs').Place} Place */
/** @typedef {import('./rule.mjs').Finding} Finding */

const SCHEMES = ['components', 'securitySchemes'];
const OPERATION = ['paths', '/agents/{agentName}', 'put'];
const FLOWS = /** @type {const} */ ({
  authorizationCode: { authorizationUrl: '/oauth/authorize', tokenUrl: '/oauth/token' },
  clientCredentials: { tokenUrl: '/oauth/token' },
});

/** The paths that answer without a credential, and those that may, below their surfaces. */
const OPEN = /** @type {const} */ ({
  host: /^\/(oauth|\.well-known)\//,
  sandbox: /^\/$/,
  inference: /^\/\{\}\/agents\//,
});

/**
 * What a scheme is, as far as it matters here.
 * @param {Place | undefined} scheme
 * @returns {'oauth' | 'bearer' | 'header' | 'other'}
 */
function kindOf(scheme) {
  const said = (/** @type {string} */ name) => textOf(below(scheme, name)).toLowerCase();
  if (said('type') === 'oauth2') return 'oauth';
  if (said('type') === 'http') return said('scheme') === 'bearer' ? 'bearer' : 'other';
  const header = /^(x-[a-z][a-z\d]*-)?authorization$/;
  return said('type') === 'apikey' && said('in') === 'header' && header.test(said('name')) ? 'header' : 'other';
}

/**
 * @param {Model} model
 * @returns {(name: string) => ReturnType<typeof kindOf>}
 */
function kinds({ securitySchemes }) {
  const schemes = new Map(securitySchemes);
  return (name) => kindOf(schemes.get(name));
}

/** @param {Operation} operation */
const isMetrics = ({ path }) => /^\/accounts\/\{\}\/metrics(\/|$)/.test(path);

/** @param {Operation} operation */
function mayBeOpen({ surface, path }) {
  return surface === undefined || surface === 'management' ? surface === undefined : OPEN[surface].test(path);
}

/**
 * Every scope that an operation asks for, with the place of its alternative.
 * @param {Model} model
 * @returns {{ place: Place, scopes: unknown[] }[]}
 */
function askedScopes(model) {
  const kind = kinds(model);
  return managed(model).flatMap((operation) =>
    operation.security.flatMap(({ place, schemes }) =>
      schemes.filter(([name]) => kind(name) === 'oauth').map(([, scopes]) => ({ place, scopes })),
    ),
  );
}

/** @param {Model} model */
const managed = ({ operations }) => operations.filter(({ surface }) => surface === 'management');

/** @param {unknown} scope */
function isKnownForm(scope) {
  if (scope === 'admin') return true;
  const [, resource = '', action = ''] = /^([a-z][A-Za-z]*):([a-z]+)$/.exec(String(scope)) ?? [];
  if (resource === '') return false;
  /** @type {Readonly<Record<string, readonly string[]>>} */
  const table = scopeActions;
  return Object.hasOwn(table, resource) ? table[resource]?.includes(action) === true : true;
}

/**
 * The same alternative stands for every operation where it is that of the whole document.
 * @param {Finding[]} findings
 */
function eachOnce(findings) {
  return [...new Map(findings.map((each) => [`${each.path.join('\n')}\n${each.message}`, each])).values()];
}

export const securityRules = [
  rule({
    id: 'credential-required',
    says: 'Every operation asks for a credential; the OAuth endpoints, the root of a sandbox and public agents apart.',
    requirements: [
      'auth.management.credential-required',
      'auth.metrics.bearer-required',
      'auth.data-plane.credential-required',
      'auth.public-agent.open-when-public',
    ],
    example: {
      within: 'operation',
      at: OPERATION,
      good: { security: [{ oauth: ['admin'] }, { oauth: ['agents:update'] }, { apiKey: [] }] },
      bad: { security: [{ oauth: ['admin'] }, { apiKey: [] }, {}] },
    },
    find: ({ operations }) =>
      operations
        .filter((operation) => !mayBeOpen(operation))
        .filter(({ security }) => security.length === 0 || security.some(({ schemes }) => schemes.length === 0))
        .map(({ place, name }) =>
          finding(below(place, 'security') ?? place, `${name} can be called without a credential.`),
        ),
  }),
  rule({
    id: 'both-credentials',
    says: 'A management operation accepts either kind of credential, an OAuth token or an API key sent as Bearer.',
    requirements: ['auth.schemes.jwt-and-api-key-accepted', 'auth.headers.authorization-accepted-on-every-api'],
    example: {
      within: 'operation',
      at: OPERATION,
      good: { security: [{ oauth: ['admin'] }, { apiKey: [] }] },
      bad: { security: [{ oauth: ['admin'] }] },
    },
    find: (model) => {
      const kind = kinds(model);
      return managed(model).flatMap((operation) => {
        const accepted = operation.security
          .filter(({ schemes }) => schemes.length === 1)
          .map(({ schemes }) => kind(schemes[0]?.[0] ?? ''));
        const wanted = /** @type {const} */ (['oauth', 'bearer']).filter((each) => !accepted.includes(each));
        const enough = isMetrics(operation) ? wanted.length < 2 : wanted.length === 0;
        if (enough || operation.security.length === 0) return [];
        const words = wanted.map((each) => (each === 'oauth' ? 'an OAuth token' : 'an API key sent as Bearer'));
        const place = below(operation.place, 'security') ?? operation.place;
        return [finding(place, `${operation.name} does not accept ${words.join(' nor ')} on its own.`)];
      });
    },
  }),
  rule({
    id: 'credential-in-header',
    says: 'A credential is sent as Bearer in Authorization or X-<Brand>-Authorization, never in a query or a cookie.',
    requirements: [
      'auth.headers.authorization-accepted-on-every-api',
      'auth.headers.brand-authorization-accepted-on-every-api',
    ],
    example: {
      within: 'operation',
      at: [...SCHEMES, 'brandHeader'],
      good: { type: 'apiKey', in: 'header', name: 'X-Svc-Authorization' },
      bad: { in: 'query', name: 'key' },
    },
    find: ({ securitySchemes }) =>
      securitySchemes
        .filter(([, scheme]) => kindOf(scheme) === 'other')
        .map(([name, scheme]) =>
          finding(scheme, `"${name}" sends no Bearer credential in Authorization or X-<Brand>-Authorization.`),
        ),
  }),
  rule({
    id: 'oauth-flows',
    says: 'OAuth has the flows authorizationCode and clientCredentials, at /oauth/authorize and /oauth/token.',
    requirements: ['oauth.client-credentials.token-works', 'oauth.code.good-once'],
    example: {
      within: 'operation',
      at: [...SCHEMES, 'oauth', 'flows'],
      good: { clientCredentials: { tokenUrl: '/oauth/token', scopes: { admin: 'Administrative access.' } } },
      bad: { clientCredentials: null },
    },
    find: ({ securitySchemes }) =>
      securitySchemes
        .filter(([, scheme]) => kindOf(scheme) === 'oauth')
        .flatMap(([, scheme]) => {
          const flows = below(scheme, 'flows') ?? scheme;
          return Object.entries(FLOWS).flatMap(([name, addresses]) => {
            const flow = below(flows, name);
            if (flow === undefined) return [finding(flows, `The flow ${name} is missing.`)];
            return Object.entries(addresses)
              .filter(([key, end]) => !textOf(below(flow, key)).endsWith(end))
              .map(([key, end]) => finding(below(flow, key) ?? flow, `The ${key} of ${name} does not end in ${end}.`));
          });
        }),
  }),
  rule({
    id: 'one-scope-each',
    says: 'Each OAuth alternative of a management operation asks for exactly one scope; two in one would both be needed.',
    requirements: ['auth.scopes.admin-is-the-default', 'auth.scopes.update-agent-accepts-agents-update'],
    example: {
      within: 'operation',
      at: OPERATION,
      good: { security: [{ oauth: ['admin'] }, { oauth: ['agents:update'] }, { apiKey: [] }] },
      bad: { security: [{ oauth: ['admin', 'agents:update'] }, { apiKey: [] }] },
    },
    find: (model) =>
      eachOnce(
        askedScopes(model)
          .filter(({ scopes }) => scopes.length !== 1)
          .map(({ place, scopes }) =>
            finding(
              place,
              scopes.length === 0
                ? 'No scope is asked for; admin is the default.'
                : `All of ${listed(scopes)} are asked for at once; alternatives stand in entries of their own.`,
            ),
          ),
      ),
  }),
  rule({
    id: 'scope-form',
    says: 'A scope is admin or <resource>:<action>, and one that the interface lists where it lists the resource.',
    requirements: ['auth.scopes.admin-is-the-default', 'auth.scopes.update-agent-accepts-agents-update'],
    example: {
      within: 'operation',
      at: [...SCHEMES, 'oauth', 'flows', 'clientCredentials', 'scopes'],
      good: { 'agents:update': 'Update agents.' },
      bad: { 'agents:modify': 'Update agents.' },
    },
    find: (model) => {
      const defined = model.securitySchemes.flatMap(([, scheme]) =>
        entriesOf(below(scheme, 'flows')).flatMap(([, flow]) => entriesOf(below(flow, 'scopes'))),
      );
      const asked = askedScopes(model).flatMap(({ place, scopes }) => scopes.map((scope) => ({ place, scope })));
      const all = [...defined.map(([scope, place]) => ({ place, scope })), ...asked];
      return eachOnce(
        all
          .filter(({ scope }) => !isKnownForm(scope))
          .map(({ place, scope }) => finding(place, `The interface has no scope "${String(scope)}".`)),
      );
    },
  }),
];
