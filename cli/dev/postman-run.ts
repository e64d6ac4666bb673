/** Judges the report of newman about a Postman collection that it sent to a new mock. */

interface Report {
  readonly run: { readonly executions: readonly Execution[] };
}

interface Execution {
  readonly item: { readonly name: string };
  /** Absent if the request timed out. */
  readonly response?: { readonly code: number };
}

/** A collection deletes resources before it uses them, folder by folder. */
const afterDeletion: readonly (number | undefined)[] = [404, 409, 503];

/** What Postman gets wrong, as docs/clients.md says, by the name of the request; undefined for no response. */
const known: Readonly<Record<string, number | undefined>> = {
  'Submit the authorization page': 400,
  'Exchange a code, client credentials or a refresh token for an access token': 401,
  'Revoke an access token or a refresh token': 401,
  'Open a stream of messages from the MCP server': 400,
  'Send a message to the MCP server': 406,
  'End the session with the MCP server': 400,
  "Open a stream of messages from the sandbox's MCP server": 400,
  "Send a message to the sandbox's MCP server": 406,
  "End a session with the sandbox's MCP server": 400,
  'Watch a directory for modified files': undefined,
};

/** Returns a sentence for each request whose response is unexpected. */
export function unexpectedReplies(report: string): string[] {
  const { executions } = (JSON.parse(report) as Report).run;
  const replies = executions.map(({ item, response }) => ({ name: item.name, code: response?.code }));
  const refused = replies.filter(({ code = 0 }) => code < 200 || code >= 400);
  const unexpected = refused.filter(
    ({ name, code }) => !afterDeletion.includes(code) && !(name in known && known[name] === code),
  );
  const sentences = unexpected.map(({ name, code = 'nothing' }) => `"${name}" returns ${code}.`);
  for (const { name, code = 0 } of replies)
    if (name in known && code >= 200 && code < 400)
      sentences.push(`"${name}" returns ${code}, unlike docs/clients.md.`);
  const successCount = replies.length - refused.length;
  return successCount * 2 < replies.length || replies.length === 0
    ? [...sentences, `Only ${successCount} of ${replies.length} requests succeed.`]
    : sentences;
}
