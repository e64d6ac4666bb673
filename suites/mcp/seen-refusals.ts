/** Messages that an MCP server cannot accept, in anybody's traffic. */
import { mcpSources } from '../../spec/requirements/mcp-sources.ts';
import { citing, citingInstead } from '../engine/conforms.ts';
import { status } from '../expect/status.ts';
import { fieldsOf } from '../json/fields.ts';
import { saysNothing, type Judged } from '../judge/judgement.ts';
import type { Seen } from '../judge/seen.ts';
import { refusedWith } from '../kit/mcp/expect.ts';
import { supportedIn, UNSUPPORTED_VERSION } from '../kit/mcp/eras.ts';
import { headerValue, MODERN_VERSION } from '../kit/mcp/modern.ts';
import {
  bodyVersionOf,
  endpointKey,
  headerVersionOf,
  knownModernServers,
  mayBeIncomplete,
  messagesOf,
  seenRequest,
} from '../kit/mcp/seen-message.ts';
import type { SeenRequest } from '../kit/mcp/seen-message.ts';
import { isServerError } from '../kit/mcp/messages.ts';
import type { Message } from '../kit/mcp/messages.ts';
import { isSuccess, remember } from '../kit/resources/seen-resource.ts';

/** Longer ones may be truncated in a recording. */
const MAX_LENGTH = 1000;

function isMalformed({ sentText = '', exchange }: Seen): boolean {
  if (sentText.trim() === '' || sentText.length > MAX_LENGTH || exchange.request.bytes === true) return false;
  try {
    JSON.parse(sentText);
    return false;
  } catch {
    return true;
  }
}

/** An error about the session, the version or the headers, which a server may check first. */
function isAboutRequest({ status: code }: Seen, message: Message | undefined): boolean {
  const error = fieldsOf(message?.error)?.['code'];
  if (error === undefined || message?.result !== undefined) return false;
  return code >= 400 || isServerError(error);
}

const isOther = ({ status: code }: Seen): boolean => saysNothing(code) || code >= 501 || (code >= 300 && code <= 399);

export function judgeMalformed(seen: Seen, parseError: number): Judged {
  if (!/json/i.test(seen.header('Content-Type') ?? '') || !isMalformed(seen) || isOther(seen)) return undefined;
  const message = messagesOf(seen).find(({ jsonrpc, method }) => jsonrpc === '2.0' && method === undefined);
  const code = fieldsOf(message?.error)?.['code'];
  if (code !== parseError && isAboutRequest(seen, message)) return undefined;
  return refusedWith(seen.exchange, message, parseError, mcpSources.parseError);
}

const known =
  'initialize ping logging/setLevel completion/complete server/discover tools/list tools/call prompts/list prompts/get resources/list resources/read'.split(
    ' ',
  );
const lettersOf = (method: string): string => method.toLowerCase().replaceAll(/[^a-z]/g, '');
const knownLetters = new Set(known.map(lettersOf));

/** Another spelling of a method, or a name that every JavaScript object has. A server may have methods of its own. */
const isNoMethod = (method: string): boolean =>
  (knownLetters.has(lettersOf(method)) && !known.includes(method)) ||
  ['constructor', 'toString', '__proto__', 'hasOwnProperty'].includes(method);

export function judgesUnknownMethods(methodNotFound: number): (seen: Seen) => Judged {
  const isOfModernServer = knownModernServers();
  return (seen) => {
    const request = seenRequest(seen);
    if (request === undefined) return undefined;
    const isModern = isOfModernServer(request) && request.isModern;
    const { message } = request.response;
    if (message === undefined || isOther(seen)) return undefined;
    const isRefused = fieldsOf(message.error)?.['code'] === methodNotFound;
    if (!isRefused && (!isNoMethod(request.method) || isAboutRequest(seen, message))) return undefined;
    return [
      ...refusedWith(seen.exchange, message, methodNotFound, mcpSources.unknownMethod),
      ...(isModern && isRefused ? citingInstead(mcpSources.modernUnknownMethod, status(seen.exchange, 404)) : []),
    ];
  };
}

/** The first version that has the header. */
const FIRST_WITH_HEADER = '2025-06-18';
const FIRST_VERSION = '2024-11-05';

/** Neither a version of MCP, past or future, nor a draft. */
const isNoVersion = (version: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(version) ? version < FIRST_VERSION : !/^draft/i.test(version);

/** Requests whose headers are wrong. A refusal with another status may be about the session. */
export function judgesVersionHeaders(): (seen: Seen) => Judged {
  const isOfModernServer = knownModernServers();
  const chosenVersions = new Map<string, string>();
  return (seen) => {
    const request = seenRequest(seen);
    if (request === undefined || mayBeIncomplete(request)) return undefined;
    const isModern = isOfModernServer(request);
    if (request.method === 'initialize') {
      const chosen = fieldsOf(request.response.message?.result)?.['protocolVersion'];
      if (typeof chosen === 'string')
        remember(chosenVersions, versionKey(seen, seen.responseHeader('mcp-session-id')), chosen);
      return undefined;
    }
    if (!isSuccess(seen) && seen.status !== 400) return undefined;
    if (isModern && bodyVersionOf(request) !== undefined) return judgeModern(request);
    const version = headerVersionOf(seen);
    const chosen = chosenVersions.get(versionKey(seen, seen.header('Mcp-Session-Id'))) ?? '';
    if (version === undefined || !isNoVersion(version) || chosen < FIRST_WITH_HEADER) return undefined;
    return citing(mcpSources.versionHeader, status(seen.exchange, 400));
  };
}

/** A server chooses a version for each session; without a session, the latest one counts. */
const versionKey = (seen: Seen, session: string | undefined): string => JSON.stringify([endpointKey(seen), session]);

/** The headers of a modern request repeat its version, its method, and the name of its tool. */
function judgeModern(request: SeenRequest): Judged {
  const { seen, method, params, response } = request;
  const [version, name] = [headerVersionOf(seen), params['name']];
  const source = seen.header('Mcp-Method') === undefined ? mcpSources.missingHeader : mcpSources.headerMismatch;
  const isWrong =
    bodyVersionOf(request) !== version ||
    seen.header('Mcp-Method') !== method ||
    (method === 'tools/call' && typeof name === 'string' && seen.header('Mcp-Name') !== headerValue(name));
  if (isWrong) return citing(source, status(seen.exchange, 400));
  if (version === undefined || !isNoVersion(version)) return undefined;
  const supported = supportedIn(response);
  const found = status(seen.exchange, 400);
  if (found.length > 0 || fieldsOf(response.message?.error)?.['code'] !== UNSUPPORTED_VERSION)
    return citing(mcpSources.modernVersion, found);
  if (supported?.includes(MODERN_VERSION) === true) return [];
  const expected = `error.data.supported: a list with ${MODERN_VERSION}`;
  return citing(mcpSources.modernVersion, [{ expected, actual: 'another', exchange: seen.exchange }]);
}
