// @ts-check
/** Rules for credentials, scopes and public operations. */
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

/** The paths per surface that may be called without a credential. */
const OPEN = /** @type {const} */ ({
  host: /^\/(oauth|\.well-known)\//,
  sandbox: /^\/$/,
  inference: /^\/\{\}\/agents\//,
});

/**
 * Classifies a security scheme.
 * @param {Place | undefined} scheme
 * @returns {'oauth' | 'bearer' | 'header' | 'other'}
 */
function kindOf(scheme) {
  const lowercase = (/** @type {string} */ name) => textOf(below(scheme, name)).toLowerCase();
  if (lowercase('type') === 'oauth2') return 'oauth';
  if (lowercase('type') === 'http') return lowercase('scheme') === 'bearer' ? 'bearer' : 'other';
  const header = /^(x-[a-z][a-z\d]*-)?authorization$/;
  return lowercase('type') === 'apikey' && lowercase('in') === 'header' && header.test(lowercase('name'))
    ? 'header'
    : 'other';
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
 * Returns the scopes that operations require, with the place of each alternative.
 * @param {Model} model
 * @returns {{ place: Place, scopes: unknown[] }[]}
 */
function requiredScopes(model) {
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
 * Removes duplicates: an alternative of the document applies to every operation.
 * @param {Finding[]} findings
 */
function eachOnce(findings) {
  return [...new Map(findings.map((each) => [`${each.path.join('\n')}\n${each.message}`, each])).values()];
}

export const securityRules = [
  rule({
    id: 'credential-required',
    description:
      'Every operation requires a credential, except the OAuth endpoints, the root of a sandbox, public agents, and what is outside of the interface.',
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
    description: 'A management operation accepts both an OAuth token and an API key sent as Bearer.',
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
        return [finding(place, `${operation.name} must accept ${words.join(' and ')} on its own.`)];
      });
    },
  }),
  rule({
    id: 'credential-in-header',
    description:
      'A credential is sent as Bearer in Authorization or X-<Brand>-Authorization, never in the query or a cookie.',
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
          finding(scheme, `"${name}" must send a Bearer credential in Authorization or X-<Brand>-Authorization.`),
        ),
  }),
  rule({
    id: 'oauth-flows',
    description: 'OAuth has the flows authorizationCode and clientCredentials, at /oauth/authorize and /oauth/token.',
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
              .map(([key, end]) => finding(below(flow, key) ?? flow, `The ${key} of ${name} must end with ${end}.`));
          });
        }),
  }),
  rule({
    id: 'one-scope-each',
    description:
      'Each OAuth alternative of a management operation requires exactly one scope; several in one would all be required.',
    requirements: ['auth.scopes.admin-is-the-default', 'auth.scopes.update-agent-accepts-agents-update'],
    example: {
      within: 'operation',
      at: OPERATION,
      good: { security: [{ oauth: ['admin'] }, { oauth: ['agents:update'] }, { apiKey: [] }] },
      bad: { security: [{ oauth: ['admin', 'agents:update'] }, { apiKey: [] }] },
    },
    find: (model) =>
      eachOnce(
        requiredScopes(model)
          .filter(({ scopes }) => scopes.length !== 1)
          .map(({ place, scopes }) =>
            finding(
              place,
              scopes.length === 0
                ? 'No scope is required; the default is admin.'
                : `All of ${listed(scopes)} are required together; use separate entries for alternatives.`,
            ),
          ),
      ),
  }),
  rule({
    id: 'scope-form',
    description:
      'A scope is admin or <resource>:<action>; for a resource with documented scopes, the action is documented too.',
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
      const required = requiredScopes(model).flatMap(({ place, scopes }) => scopes.map((scope) => ({ place, scope })));
      const all = [...defined.map(([scope, place]) => ({ place, scope })), ...required];
      return eachOnce(
        all
          .filter(({ scope }) => !isKnownForm(scope))
          .map(({ place, scope }) => finding(place, `Unknown scope "${String(scope)}".`)),
      );
    },
  }),
];
