/** One constructor for each failure that the mock answers with; a sentence names the field, the value and what is allowed. */
import type { Reply } from './reply.ts';
import type { Finding } from '../../spec/validators.ts';
import { versions } from '../../spec/versions.ts';

/** A refusal on purpose; the step answerProblems prints it in the form of its surface. */
export class Problem extends Error {
  readonly status: number;
  /** The `error` member of the body: a word for programs. */
  readonly kind: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, kind: string, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.kind = kind;
    this.headers = headers;
  }
}

/** Shortens a value for a sentence; at most 80 characters. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The version header, 400 invalid_api_version; the value is repeated whole (versions.unknown.message-names-it-and-the-valid-ones). */
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
  return new Problem(413, 'body_too_large', `The body is larger than ${limitBytes} bytes, the most that is read.`);
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

export function badCredential(reason: string): Problem {
  // The value is a secret: it is never repeated.
  return new Problem(401, 'unauthorized', `The credential is not valid: ${reason}.`, {
    'www-authenticate': 'Bearer error="invalid_token"',
  });
}

export function insufficientScope(allowed: readonly string[]): Problem {
  return new Problem(
    403,
    'forbidden',
    `The credential lacks a scope; any of these lets the call through: ${allowed.join(', ')}.`,
    {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${allowed.join(' ')}"`,
    },
  );
}

export function forbidden(reason: string): Problem {
  return new Problem(403, 'forbidden', reason);
}

/** Billing metrics asked for by a caller who is not an account admin; the message is fixed by the interface. */
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

/** Another world of the same port has the id. */
export function worldExists(id: string): Problem {
  return new Problem(409, 'conflict', `World ${quote(id)} exists already; every world of a port has an id of its own.`);
}

export function directoryMissing(path: string): Problem {
  return notFound('Directory', path);
}

/** A file stands where a directory is needed. */
export function notADirectory(path: string): Problem {
  return new Problem(400, 'not_a_directory', `${quote(path)} is a file; a directory is needed there.`);
}

/** A directory stands where a file is to be written. */
export function notAFile(path: string): Problem {
  return new Problem(400, 'not_a_file', `${quote(path)} is a directory; a file is needed there.`);
}

/** What a step, an endpoint or a control call threw, as a refusal; a fault of the mock itself is logged with its stack. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_URL') return unreadableUrl();
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return internalError();
}

/** The body of every surface but the sandbox's. */
export function problemReply({ status, kind, message, headers }: Problem): Reply {
  // The document shows no code in this one error body (errors.version.body-shape).
  if (kind === 'invalid_api_version') return { status, headers, body: { error: kind, message } };
  return { status, headers, body: { error: kind, code: status, message } };
}

function unreadableUrl(): Problem {
  return new Problem(400, 'malformed_request', 'The request line has no readable URL; send a path that begins with /.');
}

function internalError(): Problem {
  return new Problem(500, 'internal_error', 'The mock itself failed; its log has the stack.');
}

/** What an answer that waits for the virtual clock becomes when its world is reset, replaced or deleted. */
export function worldIsGone(): Problem {
  return new Problem(
    503,
    'world_gone',
    'The world was reset, replaced or deleted while the answer waited for its clock.',
  );
}

/** A write to what an earlier request has begun to delete. */
export function beingDeleted(what: string, name: string): Problem {
  return new Problem(
    409,
    'conflict',
    `${what} ${quote(name)} is being deleted; it is gone within a second of the mock's clock.`,
  );
}

export function notEmpty(what: string, name: string, holds: string): Problem {
  return new Problem(409, 'conflict', `${what} ${quote(name)} still has ${holds}; delete these first.`);
}
