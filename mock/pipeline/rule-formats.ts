/** The formats of fault rules, scripted responses and what they match (`/_mock`), as zod schemas. */
import { z } from 'zod';
import { requestLimits } from '../../spec/formats/mock-limits.ts';
import { isOperationId, type OperationId } from '../../spec/operations.ts';
import { IDENTITY_PROVIDER_PATH } from '../domains/oauth/identity-provider.ts';
import { PREVIEWS_PATH } from '../domains/resources/previews.ts';
import { MAX_DELAY_MS } from '../http/delay.ts';
import { expectedOperation } from './expected-operation.ts';
import { json, type DeepReadonly } from '../../spec/formats/readonly-json.ts';

const MAX_WILDCARD = requestLimits.ruleWildcard.max;

/** RFC 9110 5.1. */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;

const operation = z
  .custom<OperationId>((value) => typeof value === 'string' && isOperationId(value), {
    error: ({ input }) => expectedOperation(input),
  })
  .meta({ type: 'string' });

const EXPECTED_PATH = `a path to which rules apply: one outside /_mock (in other worlds, without /_mock/w/ID), or one below ${PREVIEWS_PATH}/ or ${IDENTITY_PROVIDER_PATH}/`;

/** Whether the path, with `*` as a wildcard, matches any request to which rules apply. */
function canMatch(path: string): boolean {
  if (!/^\/_mock(?:\/|$)/.test(path)) return true;
  const [literal = ''] = path.split('*', 1);
  return [`${PREVIEWS_PATH}/`, `${IDENTITY_PROVIDER_PATH}/`].some(
    (prefix) => literal.startsWith(prefix) || (literal !== path && prefix.startsWith(literal)),
  );
}

/** How the path and its query are written as two members. */
function withoutQuery(written: string): string {
  if (written.length > MAX_WILDCARD) return 'a path without a query, which is the member "query"';
  const [path = '', ...rest] = written.split('?');
  const query = Object.fromEntries(new URLSearchParams(rest.join('?')));
  const members = { path, ...(Object.keys(query).length > 0 && { query }) };
  return `a path without a query; write ${JSON.stringify(members).slice(1, -1)}`;
}

const queryValue = z.union([z.string().max(MAX_WILDCARD), z.number(), z.boolean(), z.null()], {
  error: `a string of at most ${MAX_WILDCARD} characters with * as a wildcard, a number, true, false, or null for an absent parameter`,
});

const EXPECTED_BODY = 'What the JSON body has. Members that are not listed may have any value; lists must be equal.';

/** Which requests a fault rule, a script, an expectation or a filter is about; all members must match. */
const requestMatch = {
  operation: operation
    .describe('The operationId. Absent: every request, including those to unknown paths.')
    .exactOptional(),
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, { error: 'a method, such as POST' })
    .describe('The method, such as POST.')
    .exactOptional(),
  path: z
    .string()
    .refine((path) => !path.includes('?'), { error: ({ input }) => withoutQuery(String(input)) })
    .max(MAX_WILDCARD)
    .startsWith('/', { error: 'a path that starts with /, with * as a wildcard, such as /v0/agents/*' })
    .refine(canMatch, { error: EXPECTED_PATH })
    .describe('The path without the query, with `*` as a wildcard, such as `/v0/agents/*`; percent-encoded or not.')
    .exactOptional(),
  query: z
    .record(z.string(), queryValue)
    .describe(
      'Query parameters by name, in any order: the decoded value with `*` as a wildcard, or null if there must be none. Other parameters may have any value. Of a repeated parameter, one value must match.',
    )
    .exactOptional(),
  body: json.describe(EXPECTED_BODY).exactOptional(),
};

/** Not in requestMatch, because `headers` of a fault rule are response headers. */
const requestHeaders = z
  .record(z.string().regex(HEADER_NAME, { error: 'a header name' }), z.string().max(MAX_WILDCARD))
  .describe('Values of request headers by name, with `*` as a wildcard.')
  .exactOptional();

const wholeMatch = z.strictObject({ ...requestMatch, headers: requestHeaders });

export type RequestMatch = DeepReadonly<z.infer<typeof wholeMatch>>;

const EXPECTED_STATUS = 'a status or a class, such as 404 or 4xx';

/** Of recorded requests, whose status is known. */
export const recordedMatch = z.strictObject({
  ...wholeMatch.shape,
  body: json.describe(`${EXPECTED_BODY} Bodies of more than 4000 characters do not match.`).exactOptional(),
  status: z
    .union(
      [
        z.int().min(100, { error: EXPECTED_STATUS }).max(599, { error: EXPECTED_STATUS }),
        z.string().regex(/^[1-5](?:\d\d|xx)$/, { error: EXPECTED_STATUS }),
      ],
      {
        error: EXPECTED_STATUS,
      },
    )
    .describe('A status or a class, such as 404 or 4xx.')
    .exactOptional(),
});

export type RecordedMatch = DeepReadonly<z.infer<typeof recordedMatch>>;

const milliseconds = z.number().min(0).max(MAX_DELAY_MS);
const distribution = z
  .strictObject({
    p50: milliseconds.gt(0).describe('The median.'),
    p99: milliseconds.gt(0).describe('99 of 100 delays are shorter.'),
  })
  .refine(({ p50, p99 }) => p99 >= p50, { error: 'a distribution whose p99 is at least its p50' });

/** Milliseconds, or a log-normal distribution, as latencies of real servers are. */
const delay = z.union([milliseconds, distribution], {
  error: `a number from 0 to ${MAX_DELAY_MS}, or p50 and p99 with p99 not below p50`,
});

export type Delay = z.infer<typeof delay>;

const responseHeaders = z
  .record(z.string(), z.string().regex(/^[\x20-\x7e]*$/, { error: 'visible ASCII characters and spaces' }))
  .refine((headers) => Object.keys(headers).every((name) => HEADER_NAME.test(name)), {
    error: "an object whose keys are header names: letters, digits and !#$%&'*+.^_`|~-",
  });

const responseEffect = {
  delayMs: delay
    .describe('Real time before anything else: milliseconds, or a distribution with `p50` and `p99`.')
    .exactOptional(),
  cut: z
    .enum(['before', 'after', 'during'])
    .describe(
      'Closes the connection: before or after the request has its effect, without a response; or during the response, after half of the body.',
    )
    .exactOptional(),
  brokenJson: z.boolean().describe("Sends only the first half of the response's JSON.").exactOptional(),
  bytesPerSecond: z.int().min(1).describe('Sends the body slowly.').exactOptional(),
};

const wholeEffect = z.strictObject(responseEffect);

export type ResponseEffect = Readonly<z.infer<typeof wholeEffect>>;

export const faultRule = z.strictObject({
  ...requestMatch,
  every: z.int().min(1).describe('Only every nth of the matching requests.').exactOptional(),
  times: z.int().min(1).describe('Maximum number of requests that it affects.').exactOptional(),
  probability: z.number().min(0).max(1).describe('Default 1.').exactOptional(),
  status: z
    .int()
    .min(400)
    .max(599)
    .describe('Returned instead of calling the operation, which then has no effect.')
    .exactOptional(),
  headers: responseHeaders.describe('Headers of a response with `status`.').exactOptional(),
  ...responseEffect,
});

export type FaultRule = DeepReadonly<z.infer<typeof faultRule>>;

const response = z.strictObject({
  status: z
    .int()
    .min(200)
    .max(599)
    .describe('Status of the response. Absent: the operation is called and responds.')
    .exactOptional(),
  headers: responseHeaders.describe('Headers of a response with `status`.').exactOptional(),
  body: json
    .describe(
      'JSON, or a string that is sent as it is. Default: the error body of the status, or no body for a status below 400.',
    )
    .exactOptional(),
  ...responseEffect,
});

export type ResponseScript = DeepReadonly<z.infer<typeof response>>;

export const scriptedResponse = z.strictObject({
  match: wholeMatch
    .describe('The requests that it applies to; all members must match. Default: every request.')
    .exactOptional(),
  sequence: z.array(response).min(1).describe('The responses to the matching requests, in order.'),
  afterwards: z
    .enum(['last', 'restart', 'operation'])
    .describe(
      'After the sequence: its last response again, the sequence again, or responses of the operation, as if there were no script. Default: last.',
    )
    .exactOptional(),
});

export type ScriptedResponse = DeepReadonly<z.infer<typeof scriptedResponse>>;
