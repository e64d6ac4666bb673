/** Every point that a run observes, by rule: what is observed, and the kind of its value. */
import { operations, type OperationId } from '../operations.ts';
import type { ObserveId } from '../requirements/index.ts';
import { responseOrNone, streamHead, successShape, treeResponse, workloadResponse } from './response-kinds.ts';
import {
  bucketStarts,
  chosenResolution,
  clientOutcome,
  continuation,
  creation,
  delivery,
  endedSession,
  eventRecords,
  exchangedCode,
  fileOwner,
  ignoredPatterns,
  judgedFirst,
  keepAlive,
  lifetime,
  lineFormat,
  metricsResponse,
  nameList,
  negotiatedVersion,
  oneOf,
  repeatedSecrets,
  resourceStatus,
  settledStatus,
  statusAndError,
  statusOnly,
  statusOrNoResponse,
  storedValue,
  tokenOutcome,
  tokenText,
  watchedDepth,
  type ValueKind,
} from './value-kind.ts';

export type PointKinds = Readonly<Record<string, ValueKind>>;

/** One point of the same kind per name; `what` returns what the point of a name observes. */
function pointPerName<const Name extends string, const What extends string, Kind>(
  names: readonly Name[],
  what: (name: Name) => What,
  kind: Kind,
): Readonly<Record<What, Kind>> {
  return Object.fromEntries(names.map((name) => [what(name), kind])) as Record<What, Kind>;
}

const creates: readonly OperationId[] = ['createVpc', 'createIntegrationConnection', 'createFunction'];
const writes: readonly OperationId[] = ['updateAgent', ...creates];

export const NAME_ENDINGS = ['-', '--x', '--', '-0'] as const;
export const LONG_DISPLAY_NAMES = [
  '63 two-byte letters',
  '63 characters of two UTF-16 units',
  '32 characters of two UTF-16 units',
  '64 two-byte letters',
] as const;

export const YEAR_LENGTHS = ['365 days less a second', '365 days', '365 days and a second', '366 days'] as const;
export const YEARS = ['a common year', 'a leap year'] as const;
const windowsOfAYear = YEARS.flatMap((year) => YEAR_LENGTHS.map((length) => `${length} of ${year}` as const));

export const MCP_SERVERS = ['function', 'sandbox'] as const;
export type McpServer = (typeof MCP_SERVERS)[number];
export const OFFERED_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '1999-12-31'] as const;

export const IGNORE_PARAMETERS = [
  'ignore',
  'ignorePatterns',
  'ignore_patterns',
  'exclude',
  'excludePatterns',
  'patterns',
] as const;

export const SCHEME_WORDS = ['bearer', 'BEARER', 'bEaReR'] as const;
/** Of the JWT in a header. */
export const TOKEN_SPELLINGS = [
  'padding after the signature',
  'other unused bits in the signature',
  'a space before the signature',
  'two spaces after Bearer',
] as const;
export const CALLERS_WITHOUT_ACCESS = ['no credential', 'an unknown credential'] as const;

const versionedReads = operations
  .filter((one) => one.surface === 'management' && one.documented && one.versioned && one.method === 'GET')
  .map(({ id }) => id);

const authenticationMethods = ['client_secret_basic', 'client_secret_post'] as const;

export const observationPoints = {
  'resources.lifecycle.status-sequence': {
    ...pointPerName(writes, (id) => `${id}: status in the response` as const, resourceStatus),
    ...pointPerName(writes, (id) => `${id}: afterwards` as const, oneOf('not readable')),
    ...pointPerName(writes, (id) => `${id}: final status` as const, settledStatus),
    ...pointPerName(
      writes,
      (id) => `${id}: time until then` as const,
      oneOf('under 5 seconds', 'under a minute', 'a minute or more'),
    ),
    ...pointPerName(writes, (id) => `${id}: statuses of the event records` as const, eventRecords),
    ...pointPerName(writes, (id) => `${id}: types of the event records` as const, eventRecords),
  },
  'agents.runtime.bounds': {
    'memory -1': storedValue,
    'memory 0': storedValue,
    'memory 1': storedValue,
    'memory 3000': storedValue,
    'minScale 2 above maxScale 1': storedValue,
    'minScale -1': storedValue,
    'maxScale 0': storedValue,
    'canaryPercent -1': storedValue,
    'canaryPercent 101': storedValue,
    'traffic -1': storedValue,
    'traffic 101': storedValue,
    'stickySessionTtl -1': storedValue,
    'an unknown field of the spec': storedValue,
    'an unknown field of runtime': storedValue,
    'two variables of one name': storedValue,
    'a policy named twice': storedValue,
    'a secret variable': storedValue,
    'a removal of a volume that the agent mounts': statusOnly,
    'the agent after the removal of its volume': oneOf('mounts it', 'does not mount it'),
    'an async request to a disabled agent': statusOnly,
    'the usage of a disabled agent': oneOf('counted', 'not counted'),
  },
  'naming.name.hyphens-digits-reserved': pointPerName(
    creates.flatMap((id) => NAME_ENDINGS.map((ending) => `a name that ends in ${ending} at ${id}` as const)),
    (what) => what,
    statusOnly,
  ),
  'naming.name.duplicate-status': {
    ...pointPerName(creates, (id) => `a second ${id} of one name` as const, statusOnly),
    ...pointPerName(
      writes.flatMap((id) => LONG_DISPLAY_NAMES.map((length) => `a displayName of ${length} at ${id}` as const)),
      (what) => what,
      oneOf('accepted', 'refused'),
    ),
  },
  'management.undocumented.statuses': {
    'an unknown integration': statusOnly,
    'a preview token of an unknown sandbox': statusOnly,
    'a token of an unknown preview': statusOnly,
    'an unknown token of a preview': statusOnly,
    'a version of an unknown template': statusOnly,
    'an unknown version of a template': statusOnly,
    'a connection to an unknown integration': statusOnly,
    'a function that names an unknown connection': statusOnly,
    'a function that names a connection just removed': statusOnly,
    'a function that names two connections': statusOnly,
    'a removal of a connection that a function names': statusOnly,
  },
  'management.undocumented.answer-shapes': {
    'the list of accounts': successShape,
    ...pointPerName(creates, (id) => `the response of ${id}` as const, successShape),
    ...pointPerName(creates, (id) => `the secrets in the response of ${id}` as const, repeatedSecrets),
    ...pointPerName(creates, (id) => `the secrets in a read of what ${id} created` as const, repeatedSecrets),
  },
  'metrics.buckets.alignment': {
    ...pointPerName(
      ['Monday', 'Tuesday', 'Thursday'],
      (day) => `weekly buckets of a window from a ${day} at 10:00` as const,
      bucketStarts,
    ),
    ...pointPerName(
      ['hourly', 'daily', 'monthly'],
      (resolution) => `${resolution} buckets of an unaligned window` as const,
      bucketStarts,
    ),
    ...pointPerName(windowsOfAYear, (window) => `default resolution for ${window}` as const, chosenResolution),
    ...pointPerName(windowsOfAYear, (window) => `weekly for ${window}` as const, statusOnly),
  },
  'metrics.pagination.cursor-with-other-parameters': {
    'a cursor with another limit': continuation,
    'a cursor without limit': continuation,
    'a cursor with another groupBy': continuation,
    'a cursor with the same groupBy in another order': continuation,
    'a cursor without groupBy': continuation,
    'a cursor with another window': continuation,
    'a cursor with another resolution': continuation,
    'a cursor with another filter': continuation,
    'a cursor with its last character altered': continuation,
  },
  'metrics.pagination.pages-full': {
    'pages before the last one': oneOf('all full', 'some not full'),
    'the last page if the groups fill all pages': oneOf('has groups', 'empty: hasMore was true on the last full page'),
  },
  'metrics.pagination.order': {
    'the order of groups': oneOf(
      'by names, ascending',
      'by names, descending',
      'by cost, descending',
      'by cost, ascending',
      'neither names nor cost',
    ),
    'groups of a window until now while resources are created': oneOf('each once', 'some repeated or missing'),
  },
  'metrics.parameters.edge-cases': pointPerName(
    [
      'startTime equal to endTime',
      'offset +00:00',
      'offset -00:00',
      'offset +02:00',
      'offset +0000, without its colon',
      'lower-case t and z',
      'a space instead of T',
      'fractions .000',
      'fractions .123456789',
      'a comma before the fraction',
      'leap second',
      'spaces around the timestamps',
      'a window in the future',
      'a window that ends in the future',
      'limit 0',
      'empty limit',
      'empty resolution',
      'empty groupBy',
      'only a comma in groupBy',
      'a comma after the last dimension',
      'an empty name between commas',
      'empty workspace',
      'empty resourceType',
      'empty billingDimension',
      'empty cursor',
      'spaces around the commas of groupBy',
      'groupBy repeated as a parameter',
      'startTime repeated',
      'resolution repeated with other values',
      'an unknown parameter',
      'a parameter in other letter case',
    ],
    (what) => what,
    metricsResponse,
  ),
  'inference.undocumented.answers': {
    'queryAgent: an unknown agent': workloadResponse,
    'queryModel: an unknown model': workloadResponse,
    'createChatCompletion: an unknown model': workloadResponse,
    'createJobExecution: an unknown job': workloadResponse,
    'queryAgent: valid inputs': workloadResponse,
    'queryAgent: no inputs': workloadResponse,
    'queryAgent: empty inputs': workloadResponse,
    'queryModel: valid inputs': workloadResponse,
    'queryModel: an empty object': workloadResponse,
    'createChatCompletion: a conversation': workloadResponse,
    'createChatCompletion: no messages': workloadResponse,
    'createChatCompletion: an empty list of messages': workloadResponse,
    'createChatCompletion: a message without a role': workloadResponse,
    'createChatCompletion: a stream': workloadResponse,
    'createJobExecution: one task': workloadResponse,
    'createJobExecution: no tasks': workloadResponse,
    'createJobExecution: an empty list of tasks': workloadResponse,
    'createJobExecution: a task that is a string': workloadResponse,
    'createJobExecution: a task that is null': workloadResponse,
    'createJobExecution: tasks that are not a list': workloadResponse,
  },
  'jobs.executions.billed': { 'the cost of a job after an execution': oneOf('higher', 'lower') },
  'mcp.undocumented.session-and-capabilities': {
    ...pointPerName(MCP_SERVERS, (server) => `${server}: era` as const, oneOf('legacy', 'modern', 'dual-era')),
    ...pointPerName(MCP_SERVERS, (server) => `${server}: session id` as const, oneOf('given', 'none')),
    ...pointPerName(MCP_SERVERS, (server) => `${server}: delivery of responses` as const, delivery),
    ...pointPerName(MCP_SERVERS, (server) => `${server}: capabilities` as const, nameList),
    ...pointPerName(MCP_SERVERS, (server) => `${server}: GET` as const, streamHead),
    ...pointPerName(MCP_SERVERS, (server) => `${server}: DELETE` as const, endedSession),
    ...pointPerName(MCP_SERVERS, (server) => `${server}: ping after DELETE` as const, statusOnly),
    ...pointPerName(
      MCP_SERVERS.flatMap((server) =>
        OFFERED_VERSIONS.map((version) => `${server}: version offered ${version}` as const),
      ),
      (what) => what,
      negotiatedVersion,
    ),
  },
  'sandbox.undocumented.answers': {
    'owner and group of a file': fileOwner,
    'the format of permissions': oneOf('octal with a leading 0', 'octal', 'as in ls -l', 'another format'),
    'the format of lastModified': oneOf('RFC 3339 with Z', 'RFC 3339 with an offset', 'not RFC 3339'),
    'the format of paths': oneOf(
      'absolute',
      'relative',
      'absolute, without the directory',
      'relative, without the directory',
    ),
    'a file whose name begins with a dot': oneOf('listed', 'not listed'),
    'the root of the sandbox': treeResponse(),
    'a read of an unknown path': treeResponse(),
    'the list of uploads': treeResponse(),
    'a read of a directory': treeResponse('the write'),
    'a read by a path with a leading slash': treeResponse('the plain path'),
    'a read by a path with a leading slash, encoded': treeResponse('the plain path'),
    'a read by a path with encoded slashes': treeResponse('the plain path'),
    'a read by a path with a slash at the end': treeResponse('the plain path'),
    'a read by a path with . in it': treeResponse('the plain path'),
    'a read by a path with .. in it': treeResponse('the plain path'),
    'a read by a path with .. encoded': treeResponse('the plain path'),
    'a read of an encoded percent sign': treeResponse('the plain path'),
    'a read of a file': treeResponse(),
    'a write of no files': treeResponse(),
    'a write of a file where a directory is': treeResponse(),
    'a write of a file below a file': treeResponse(),
    'a write to the path of a file': treeResponse(),
    'a write of an empty path': treeResponse(),
    'a write of a path that ends in a slash': treeResponse(),
    'a write of a path with a double slash': treeResponse(),
    'a write of a path that begins with ./': treeResponse(),
    'a write of a path with .. in it': treeResponse(),
    'a write of an absolute path': treeResponse(),
    'a write without files': treeResponse(),
    'a write with files null': treeResponse(),
    'a write with a content of null': treeResponse(),
    'a write with an additional member': treeResponse(),
    'a write of a list': treeResponse(),
    'a write of malformed JSON': treeResponse(),
    'a write without a body': treeResponse(),
    'a watch of an unknown directory': statusOrNoResponse,
    'a watch of a file': statusOrNoResponse,
    'the path of a watch': oneOf('as in tree requests', 'absolute', 'absolute, percent-encoded'),
    'the headers of a watch': oneOf('at once', 'with the first line'),
    'the format of lines': lineFormat,
    'keep-alive lines': keepAlive,
    'a watch of a path that ends in /**': watchedDepth,
    ...pointPerName(
      [
        'a file of a subdirectory',
        'a new file without content',
        'a file written again with the same content',
        'a file whose name begins with a dot',
      ],
      (file) => `a watch of ${file}` as const,
      oneOf('reported', 'not reported'),
    ),
    ...pointPerName(IGNORE_PARAMETERS, (name) => `a watch with ?${name}` as const, ignoredPatterns),
    'other files of a refused write': oneOf('not written', 'written'),
  },
  'oauth.extras.what-the-server-offers': {
    ...pointPerName(
      ['the discovery document', 'the OpenID discovery document', 'the key set'],
      (document) => document,
      statusOnly,
    ),
    ...pointPerName(authenticationMethods, (method) => method, clientOutcome),
    'the same client by header and by body': tokenOutcome,
    token_type: tokenText,
    'expires_in of the client’s own token': lifetime,
    'alg of the access token': tokenText,
    'claims of the access token': nameList,
    ...pointPerName(['a code with PKCE', 'a code without PKCE'], (code) => code, exchangedCode),
    'a code with another code_verifier': tokenOutcome,
  },
  'auth.workspace-header.missing-or-other': pointPerName(
    creates.flatMap((id) =>
      (['without the header', 'with an unknown workspace', 'with another workspace'] as const).map(
        (header) => `${id} ${header}` as const,
      ),
    ),
    (what) => what,
    creation,
  ),
  'auth.scopes.what-each-operation-accepts': {},
  'auth.headers.scheme-word-any-case': {
    ...pointPerName(SCHEME_WORDS, (word) => `${word} in Authorization` as const, statusOnly),
    ...pointPerName(SCHEME_WORDS, (word) => `${word} in the brand header` as const, statusOnly),
  },
  'auth.headers.token-spelling': pointPerName(TOKEN_SPELLINGS, (spelling) => spelling, statusOnly),
  'auth.headers.which-one-wins': {
    'the same valid credential in both': statusOnly,
    'valid in Authorization, unknown in the brand header': statusOnly,
    'unknown in Authorization, valid in the brand header': statusOnly,
    'two valid credentials, the privileged one in Authorization': statusOnly,
    'two valid credentials, the privileged one in the brand header': statusOnly,
  },
  'versions.header.empty-repeated-or-other-apis': {
    'an empty version header': statusAndError,
    'the listed version, sent twice': statusAndError,
    'the listed version twice in one header': statusAndError,
    'the listed version, then an unlisted one': statusAndError,
    'an unlisted version, then the listed one': statusAndError,
    'an unlisted version on inference': statusAndError,
    'an unlisted version on the sandbox': statusAndError,
  },
  'versions.precedence.before-credential': pointPerName(
    versionedReads.flatMap((id) =>
      CALLERS_WITHOUT_ACCESS.map((caller) => `${id} with an unlisted version and ${caller}` as const),
    ),
    (what) => what,
    judgedFirst,
  ),
  'errors.generic.statuses': {
    'an unknown path of the management API': responseOrNone,
    'an unsupported method (OPTIONS) of the management API': responseOrNone,
    'an unsupported method (PROPFIND) of the management API': responseOrNone,
    'an unsupported method (PATCH) on an agent': responseOrNone,
    'an unknown path of the host': responseOrNone,
    'a token request of malformed JSON': responseOrNone,
    'an unknown path of the sandbox': responseOrNone,
    'an unsupported method (PATCH) of the sandbox': responseOrNone,
    'an unknown path of inference': responseOrNone,
    'a chat completion of malformed JSON': responseOrNone,
    'a chat completion as text/plain': responseOrNone,
    'an agent update of malformed JSON': responseOrNone,
    'an agent update without a body': responseOrNone,
    'an agent update as text/plain': responseOrNone,
    'an agent update without a Content-Type': responseOrNone,
    'an agent update of six million bytes': responseOrNone,
  },
} as const satisfies Readonly<Record<ObserveId, PointKinds>>;
