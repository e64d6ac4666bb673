/** The login page: the user selects an identity, sees the scopes, and allows or denies access. */
import type { Reply } from '../../http/reply.ts';
import { Problem } from '../../http/problems.ts';
import type { AuthorizationServer, Person } from './authorization-server.ts';
import type { Client } from '../../state/oauth.ts';
import type { Parameters } from './parameters.ts';

/** Parameters that the form replaces. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['login_hint', 'prompt', 'decision']);

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  // Without form-action: browsers would apply it to the redirect that follows.
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
};

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 0; display: grid; place-items: center; min-height: 100vh; background: Canvas; color: CanvasText }
  main { box-sizing: border-box; width: min(28rem, 100%); padding: 2rem }
  h1 { font-size: 1.25rem; margin: 0 0 .25rem }
  p { margin: 0 0 1rem }
  fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 0 0 1rem; padding: .5rem 1rem }
  label { display: flex; gap: .75rem; align-items: baseline; padding: .25rem 0 }
  small, dd { color: color-mix(in srgb, CanvasText 70%, Canvas) }
  dl { margin: .25rem 0 } dt { font-family: ui-monospace, monospace } dd { margin: 0 0 .5rem }
  .decide { display: flex; gap: 1rem }
  button { flex: 1; font: inherit; padding: .6rem; border-radius: .5rem; border: 1px solid GrayText; cursor: pointer }
  button[value=allow] { background: #1a56db; border-color: #1a56db; color: #fff }`;

export function loginPage(
  server: AuthorizationServer,
  client: Client,
  scopes: readonly string[],
  offline: boolean,
  parameters: Parameters,
): Reply<string> {
  const hint = parameters.get('login_hint');
  const chosen = server.people.some(({ id }) => id === hint) ? hint : server.people[0]?.id;
  return page(
    `Sign in to ${server.name}`,
    `<h1>${escaped(client.name)} asks for access</h1>
<p>to ${escaped(server.name)}. <small>This is a mock: nobody asks for a password.</small></p>
<form method="${server.formMethod}" action="authorize">
${hiddenFields(parameters)}
<fieldset><legend>Continue as</legend>
${server.people.map((person) => choice(person, person.id === chosen)).join('\n')}
</fieldset>
<fieldset><legend>It will be able to</legend><dl>
${scopes.map((scope) => scopeLine(scope, server.scopes?.[scope])).join('\n')}
</dl>${offline ? '<p><small>also while you are away</small></p>' : ''}</fieldset>
<div class="decide"><button name="decision" value="deny">Deny</button><button name="decision" value="allow">Allow</button></div>
</form>`,
  );
}

/** Shows errors without a redirect as a page if the client is a browser. `accept`: the header's value. */
export function forPerson(accept: string | undefined, respond: () => Reply<string>): Reply<string> {
  try {
    return respond();
  } catch (error) {
    if (error instanceof Problem && accept?.includes('text/html')) return errorPage(error);
    throw error;
  }
}

function errorPage({ status, kind, message }: Problem): Reply<string> {
  const why = `<p><code>${escaped(kind)}</code></p><p>${escaped(message)}</p>`;
  return { ...page('Request refused', `<h1>Invalid authorization request</h1>${why}`), status };
}

function page(title: string, content: string): Reply<string> {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><link rel="icon" href="data:,"><style>${STYLE}
</style></head>
<body><main>
${content}
</main></body></html>
`;
  return { status: 200, headers: HEADERS, body };
}

function hiddenFields(parameters: Parameters): string {
  return [...parameters]
    .filter(([name]) => !OWN_FIELDS.has(name))
    .map(([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`)
    .join('\n');
}

function choice({ id, description: says }: Person, checked: boolean): string {
  const input = `<input type="radio" name="login_hint" value="${escaped(id)}" required${checked ? ' checked' : ''}>`;
  return `<label>${input}<span>${escaped(id)}<br><small>${escaped(says)}</small></span></label>`;
}

function scopeLine(scope: string, means = ''): string {
  return `<dt>${escaped(scope)}</dt><dd>${escaped(means)}</dd>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
