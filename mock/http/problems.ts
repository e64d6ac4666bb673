/** One constructor per error response; the message names the field, its value and what is allowed. */
import type { Reply } from './reply.ts';
import type { Finding } from '../../spec/validators.ts';
import { versions } from '../../spec/versions.ts';

/** An error response. The step handleProblems writes it in the format of the request's surface. */
export class Problem extends Error {
  readonly status: number;
  /** The `error` member of the body: a machine-readable code. */
  readonly kind: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, kind: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.kind = kind;
    this.headers = headers;
  }
}

/** The same problem with further headers. */
export function withHeaders({ status, kind, message, headers }: Problem, more: Problem['headers']): Problem {
  return new Problem(status, kind, message, { ...headers, ...more });
}

/** A value as JSON for a message, shortened to 80 characters. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** 400 invalid_api_version. Quotes the whole value (versions.unknown.message-names-it-and-the-valid-ones). */
export function unknownVersion(header: string, value: string): Problem {
  const valid = versions.map(({ version }) => version).join(', ');
  return new Problem(400, 'invalid_api_version', `${header} "${value}" is unknown. Valid versions: ${valid}.`);
}

export function invalidField(field: string, value: unknown, allowed: string): Problem {
  return new Problem(400, 'invalid_request', `${field} is ${quote(value)}; allowed: ${allowed}.`);
}

export function invalidBody(findings: readonly Finding[]): Problem {
  const sentences = findings.slice(0, 5).map(({ says }) => says.replace(/\.$/, ''));
  return new Problem(400, 'invalid_request', `${sentences.join('; ')}.`);
}

export function malformedBody(reason: string): Problem {
  return new Problem(400, 'malformed_body', `The body cannot be read: ${reason}.`);
}

export function bodyTooLarge(limitBytes: number): Problem {
  return new Problem(413, 'body_too_large', `The body is larger than the limit of ${limitBytes} bytes.`);
}

export function unsupportedMediaType(found: string, allowed: readonly string[]): Problem {
  return new Problem(415, 'unsupported_media_type', `Content-Type is ${quote(found)}; allowed: ${allowed.join(', ')}.`);
}

export function unsupportedEncoding(found: string): Problem {
  return new Problem(415, 'unsupported_media_type', `Content-Encoding is ${quote(found)}; allowed: identity.`);
}

export function missingCredential(header: string): Problem {
  return new Problem(
    401,
    'unauthorized',
    `No credential. Send "Authorization: Bearer <token>" or "${header}: Bearer <token>".`,
    { 'www-authenticate': 'Bearer' },
  );
}

/** `header`: its name. */
export function missingPreviewToken(header: string): Problem {
  return new Problem(401, 'unauthorized', `The preview is not public. Send one of its tokens as ${header} or ?token=.`);
}

export function badCredential(reason: string): Problem {
  // The value is a secret, so the message does not quote it.
  return new Problem(401, 'unauthorized', `The credential is not valid: ${reason}.`, {
    'www-authenticate': 'Bearer error="invalid_token"',
  });
}

export function insufficientScope(allowed: readonly string[]): Problem {
  return new Problem(403, 'forbidden', `The credential lacks a scope; allowed: any of ${allowed.join(', ')}.`, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${allowed.join(' ')}"`,
  });
}

export function forbidden(reason: string): Problem {
  return new Problem(403, 'forbidden', reason);
}

/** Billing metrics requested by a caller who is not an account admin. The API defines the message. */
export function accessDenied(): Problem {
  return new Problem(403, 'forbidden', 'Access denied');
}

export function notFound(what: string, name: string): Problem {
  return new Problem(404, 'not_found', `${what} ${quote(name)} does not exist.`);
}

export function unknownPath(path: string, nearest: readonly string[]): Problem {
  const hint = nearest.length === 0 ? '' : ` Nearest: ${nearest.join(', ')}.`;
  return new Problem(404, 'not_found', `Nothing is served at ${quote(path)}.${hint}`);
}

export function notInVersion(operation: string, version: string): Problem {
  return new Problem(404, 'not_found', `${operation} is not part of version ${version}.`);
}

export function methodNotAllowed(method: string, path: string, allow: readonly string[]): Problem {
  return new Problem(
    405,
    'method_not_allowed',
    `${method} is not served at ${quote(path)}; allowed: ${allow.join(', ')}.`,
    {
      allow: allow.join(', '),
    },
  );
}

export function alreadyExists(what: string, name: string): Problem {
  return new Problem(409, 'conflict', `${what} ${quote(name)} exists already; names are unique in a workspace.`);
}

/** The id belongs to another world of the same port. */
export function worldExists(id: string): Problem {
  return new Problem(409, 'conflict', `World ${quote(id)} exists already; world ids are unique on a port.`);
}

export function directoryMissing(path: string): Problem {
  return notFound('Directory', path);
}

/** The path of a directory names a file. */
export function notADirectory(path: string): Problem {
  return new Problem(400, 'not_a_directory', `${quote(path)} is a file; expected a directory.`);
}

/** The path of a file to write names a directory. */
export function notAFile(path: string): Problem {
  return new Problem(400, 'not_a_file', `${quote(path)} is a directory; expected a file.`);
}

/** Turns anything thrown into a problem. An error that is not a problem is a bug of the mock: it is logged with its stack. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_URL') return unreadableUrl();
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return internalError();
}

/** The error response of every surface except the sandbox's. */
export function problemReply({ status, kind, message, headers }: Problem): Reply {
  // The only documented error body without `code` (errors.version.body-shape).
  if (kind === 'invalid_api_version') return { status, headers, body: { error: kind, message } };
  return { status, headers, body: { error: kind, code: status, message } };
}

export function unreadableUrl(): Problem {
  return new Problem(
    400,
    'malformed_request',
    'The URL of the request line is invalid; expected a path that begins with /.',
  );
}

function internalError(): Problem {
  return new Problem(500, 'internal_error', 'Internal error of the mock; see its log for the stack trace.');
}

/** The world was reset, replaced or deleted while a response waited for the virtual clock. */
export function worldIsGone(): Problem {
  return new Problem(
    503,
    'world_gone',
    'The world was reset, replaced or deleted while the response waited for its clock.',
  );
}

/** A write to a resource whose deletion has begun. */
export function beingDeleted(what: string, name: string): Problem {
  return new Problem(
    409,
    'conflict',
    `${what} ${quote(name)} is being deleted. Try again when it is gone, which depends on the mock's clock.`,
  );
}

export function notEmpty(what: string, name: string, holds: string): Problem {
  return new Problem(409, 'conflict', `${what} ${quote(name)} still contains ${holds}; delete these first.`);
}

/** `by`: the first five are named. */
export function inUse(what: string, name: string, by: readonly string[]): Problem {
  const others = by.length > 5 ? ` and ${by.length - 5} more` : '';
  return new Problem(409, 'conflict', `${what} ${quote(name)} is in use by ${by.slice(0, 5).join(', ')}${others}.`);
}

/** A request that was forwarded to --upstream came back. */
export function upstreamIsMock(upstream: string): Problem {
  return new Problem(508, 'loop_detected', `The upstream ${upstream} forwards requests back to this mock.`);
}

/** The server of --upstream did not respond. */
export function upstreamFailed(upstream: string, { code, message }: Error & { code?: string }): Problem {
  return new Problem(502, 'bad_gateway', `The upstream ${upstream} did not respond: ${message || code}.`);
}

export function isDisabled(what: string, name: string): Problem {
  return new Problem(409, 'conflict', `${what} ${quote(name)} is disabled (spec.enabled is false).`);
}

export function isStopped(what: string, name: string): Problem {
  return new Problem(409, 'conflict', `${what} ${quote(name)} is stopped: start it first.`);
}

export function alreadyMember(user: string, workspace: string): Problem {
  return new Problem(409, 'conflict', `User ${quote(user)} already has a role in workspace ${quote(workspace)}.`);
}
