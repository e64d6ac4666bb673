// @ts-check
/** Collections of the management API: paths at which resources of one kind are listed, created, read, updated and deleted. */
/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {'list' | 'create' | 'get' | 'update' | 'delete'} Role */

/**
 * @typedef {object} Collection
 * @property {string} template The path of the collection in the document.
 * @property {string | undefined} parameter Path parameter of an item. Undefined if the document has no path of an item.
 * @property {{ role: Role, operation: Operation }[]} operations In the order of the roles.
 */

/** What the methods do, by kind of path. */
const ROLES = {
  collection: { get: 'list', post: 'create' },
  item: { get: 'get', put: 'update', patch: 'update', delete: 'delete' },
};

/** The best evidence of what a collection contains is first. @type {readonly Role[]} */
const ORDER = ['get', 'list', 'create', 'update', 'delete'];

/** What identifies an item whose name is only a description. */
const IDENTIFIER = /^(id|uid|uuid|guid)$|[_-](id|uid|uuid|guid)$|[a-z\d](Id|ID|Uid|UID|Uuid|UUID|Guid|GUID)$/i;

/**
 * @param {readonly Operation[]} operations
 * @param {boolean} isOurs Whether unknown paths of the document are of the management API too.
 * @returns {Collection[]}
 */
export function collectionsOf(operations, isOurs) {
  const isManaged = (/** @type {Operation} */ { surface }) =>
    surface === 'management' || (surface === undefined && isOurs);
  /** @type {Map<string, Collection>} */
  const found = new Map();
  for (const operation of operations.filter(isManaged)) {
    const { template, parameter } = split(operation.template);
    const role = roleOf(operation.method, parameter);
    if (role === undefined) continue;
    const collection = found.get(template) ?? { template, parameter, operations: [] };
    collection.operations.push({ role, operation });
    found.set(template, { ...collection, parameter: collection.parameter ?? parameter });
  }
  return [...found.values()].filter(isCollection).map(inOrder);
}

/**
 * Splits the path of an item into that of its collection and the parameter.
 * @param {string} path
 * @returns {{ template: string, parameter: string | undefined }}
 */
function split(path) {
  const whole = path.replace(/\/$/, '');
  const [, template, parameter] = /^(.*\/[^/{}]+)\/\{([^/{}]+)\}$/.exec(whole) ?? [];
  return template === undefined ? { template: whole, parameter: undefined } : { template, parameter };
}

/**
 * @param {string} method
 * @param {string | undefined} parameter
 * @returns {Role | undefined}
 */
function roleOf(method, parameter) {
  /** @type {Readonly<Record<string, string>>} */
  const roles = parameter === undefined ? ROLES.collection : ROLES.item;
  return Object.hasOwn(roles, method) ? /** @type {Role} */ (roles[method]) : undefined;
}

/**
 * An action, such as `POST /jobs/{jobName}/restart` or `POST /buckets/availability`, is no collection, nor is a list without
 * items, such as metrics.
 * @param {Collection} collection
 */
function isCollection({ parameter, operations }) {
  const has = (/** @type {Role} */ role) => operations.some((each) => each.role === role);
  return parameter !== undefined || (has('create') && (has('list') || isOutermost(operations)));
}

/**
 * Whether the path has only one segment below the root of the management API.
 * @param {Collection['operations']} operations
 */
const isOutermost = (operations) => operations.every(({ operation: { path } }) => /^\/[^/]+\/?$/.test(path));

/**
 * @param {Collection} collection
 * @returns {Collection}
 */
function inOrder(collection) {
  const position = (/** @type {{ role: Role }} */ { role }) => ORDER.indexOf(role);
  return { ...collection, operations: collection.operations.toSorted((one, other) => position(one) - position(other)) };
}

/**
 * Whether the path of an item contains its name, not an identifier; also true if there is no path of an item.
 * @param {Collection} collection
 */
export const isAddressedByName = ({ parameter }) => parameter === undefined || !IDENTIFIER.test(parameter);
