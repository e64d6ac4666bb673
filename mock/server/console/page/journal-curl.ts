/** The curl command that repeats a request of the journal. */
import { curlLine } from '../../../../spec/curl.ts';
import type { RepeatedRequest } from '../../../../spec/curl.ts';
import { REDACTED } from '../../control/redact.ts';
import type { EntryView } from '../../control/views.ts';

/** Where the requests of a world go. */
export interface Origin {
  /** Of the console: `http:`. */
  readonly protocol: string;
  /** With the port, for a request whose Host header is invalid. */
  readonly host: string;
  /** The path before the paths of the journal: empty for the first world of a port. */
  readonly prefix: string;
}

/** The variable that `assay mock -- COMMAND` sets. */
const TOKEN = '$ASSAY_ADMIN_TOKEN';
const CREDENTIAL = /^(x-[a-z0-9]+-)?authorization$/;
/** curl sends its own. */
const OMITTED =
  /^(host|connection|content-length|transfer-encoding|accept-encoding|expect|keep-alive|sec-.*|user-agent)$/;
const HOST = /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i;

/** For any POSIX shell. Credentials are a shell variable; other redacted values stay redacted. */
export function journalCurl(entry: EntryView, { protocol, host, prefix }: Origin): string {
  const { method, path, query, headers, body } = entry;
  const search = query.length === 0 ? '' : `?${new URLSearchParams(query.map(([name, value]) => [name, value]))}`;
  const sentTo = HOST.test(headers['host'] ?? '') ? headers['host'] : host;
  const request: RepeatedRequest = {
    method,
    url: `${protocol}//${sentTo}${prefix}${path}${search}`,
    headers: Object.fromEntries(
      Object.entries(headers)
        .filter(([name]) => !OMITTED.test(name))
        .map(([name, value]) => [name, CREDENTIAL.test(name) && value === REDACTED ? `Bearer ${TOKEN}` : value]),
    ),
    ...(body !== null && !body.cut && { body: body.text }),
  };
  return curlLine(request, new Set([TOKEN]), body?.cut === true ? 'the journal has only its beginning' : undefined);
}
