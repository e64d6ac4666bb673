/** Errors whose status and body are undocumented. */
import type { WhatOf } from '../../spec/observations/observation.ts';
import type { ObservedResponse } from '../../spec/observations/response-kinds.ts';
import { NO_RESPONSE } from '../../spec/observations/value-kind.ts';
import { bodyShape, mediaType } from '../expect/body-shape.ts';
import { observes } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import type { Exchange } from '../target/client.ts';
import type { RawRequest } from '../target/request-types.ts';
import { HarnessError } from '../target/transport.ts';
import { isLong } from './long-request.ts';

observes('errors.generic.statuses', async (run) => {
  const requests = [...reading(run), ...writing(run)];
  const observe = async ([what, request]: NamedRequest) => {
    run.observe(what, await responseTo(run, request));
    return [];
  };
  await run.forEach(requests, observe, { sequential: true });
});

async function responseTo({ client }: Run, request: RawRequest) {
  try {
    return observed(await client.send(request));
  } catch (error) {
    if (!(error instanceof HarnessError) || !isLong(request)) throw error;
    return NO_RESPONSE;
  }
}

type NamedRequest = readonly [what: WhatOf<'errors.generic.statuses'>, request: RawRequest];
const json = { 'Content-Type': 'application/json' };

function reading({ target: { addresses, allow, workspace, resources } }: Run): NamedRequest[] {
  const requests: NamedRequest[] = [
    ['an unknown path of the management API', { surface: 'management', method: 'GET', path: '/assay-unknown' }],
    [
      'an unsupported method (OPTIONS) of the management API',
      { surface: 'management', method: 'OPTIONS', path: '/accounts' },
    ],
    [
      'an unsupported method (PROPFIND) of the management API',
      { surface: 'management', method: 'PROPFIND', path: '/accounts' },
    ],
    ['an unknown path of the host', { surface: 'host', method: 'GET', path: '/oauth/assay-unknown' }],
    [
      'a token request of malformed JSON',
      { surface: 'host', method: 'POST', path: '/oauth/token', headers: json, body: '{' },
    ],
  ];
  if (addresses.sandbox !== undefined)
    requests.push(['an unknown path of the sandbox', { surface: 'sandbox', method: 'GET', path: '/assay-unknown' }]);
  if (addresses.sandbox !== undefined && allow !== 'read')
    requests.push([
      'an unsupported method (PATCH) of the sandbox',
      { surface: 'sandbox', method: 'PATCH', path: '/filesystem-multipart' },
    ]);
  if (addresses.inference === undefined || workspace === undefined) return requests;
  requests.push([
    'an unknown path of inference',
    { surface: 'inference', method: 'GET', path: `/${encodeURIComponent(workspace)}/assay-unknown` },
  ]);
  if (resources.model === undefined) return requests;
  const path = `/${encodeURIComponent(workspace)}/models/${encodeURIComponent(resources.model)}/chat/completions`;
  const toModel = { surface: 'inference', method: 'POST', path } as const;
  requests.push(['a chat completion of malformed JSON', { ...toModel, headers: json, body: '{' }]);
  requests.push([
    'a chat completion as text/plain',
    { ...toModel, headers: { 'Content-Type': 'text/plain' }, body: '[]' },
  ]);
  return requests;
}

/** Writes to an agent that does not exist, with bodies that are invalid by themselves. */
function writing({ target, unknownName }: Run): NamedRequest[] {
  if (target.allow === 'read') return [];
  const update = { surface: 'management', method: 'PUT', path: `/agents/${unknownName}` } as const;
  return [
    ['an agent update of malformed JSON', { ...update, headers: json, body: '{' }],
    ['an agent update without a body', { ...update, headers: json, body: '' }],
    ['an agent update as text/plain', { ...update, headers: { 'Content-Type': 'text/plain' }, body: '[]' }],
    ['an agent update without a Content-Type', { ...update, body: '[]' }],
    ['an agent update of six million bytes', { ...update, headers: json, body: `"${'a'.repeat(6_000_000)}"` }],
    ['an unsupported method (PATCH) on an agent', { ...update, method: 'PATCH', headers: json, body: '[]' }],
  ];
}

function observed({ response }: Exchange): ObservedResponse {
  return { status: response.status, mediaType: mediaType(response.headers), body: bodyShape(response) };
}
