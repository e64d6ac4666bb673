/** Builds the request that the fields of the form describe. */
import type { RepeatedRequest } from '../../../../../spec/curl.ts';
import { resolve } from '../../../../../spec/openapi-document.ts';
import type { OpenApiDocument, OpenApiExample, OpenApiParameter } from '../../../../../spec/openapi-document.ts';
import type { ListedOperation, Server } from './operations.ts';
import { valueText } from './value-text.ts';

export interface FormValues {
  /** By name of the parameter or variable of the server. Empty: not sent. */
  readonly fields: Readonly<Record<string, string>>;
  /** The value of the header Authorization; empty: not sent. */
  readonly authorization: string;
  /** Undefined if the operation has no body. */
  readonly body?: string;
  readonly contentType?: string;
}

const MULTIPART = 'multipart/form-data';
const BOUNDARY = 'part-of-the-form';

/** `origin`: the scheme and host before the path of the server. */
export function buildRequest(
  { method, path, parameters, responses }: ListedOperation,
  server: Server,
  { fields, authorization, body, contentType }: FormValues,
  origin: string,
): RepeatedRequest {
  const byName = new Map(parameters.filter((each) => each.in === 'path').map((each) => [each.name, each]));
  const template = `${server.url.replace(/\/$/, '')}${path}`;
  const filled = template.replace(/\{([^}]+)\}/g, (_, name: string) =>
    encodePath(fields[name] ?? '', byName.get(name)),
  );
  const sent = (place: OpenApiParameter['in']): [string, string][] =>
    parameters.flatMap(({ name, in: where }) => {
      const value = fields[name] ?? '';
      return where === place && value !== '' ? [[name, value]] : [];
    });
  const query = new URLSearchParams(sent('query'));
  const hasBody = body !== undefined && body !== '';
  const isMultipart = contentType === MULTIPART;
  const accept = acceptedTypes(responses);
  return {
    method,
    url: `${origin}${filled}${query.size > 0 ? `?${query}` : ''}`,
    headers: {
      ...(authorization !== '' && { Authorization: authorization }),
      ...(accept !== undefined && { Accept: accept }),
      ...(hasBody &&
        contentType !== undefined && {
          'Content-Type': isMultipart ? `${contentType}; boundary=${BOUNDARY}` : contentType,
        }),
      ...Object.fromEntries(sent('header')),
    },
    // RFC 2046 5.1.1: lines end with CRLF, which a text area does not keep.
    ...(hasBody && { body: isMultipart ? body.replaceAll(/\r?\n/g, '\r\n') : body }),
  };
}

/**
 * The media types of a success; undefined if that is JSON or nothing. Servers of MCP refuse requests that do not name them
 * all. A file is sent as JSON, which the page can show, unless the request names its bytes.
 */
function acceptedTypes(responses: ListedOperation['responses']): string | undefined {
  const successes = responses.filter(({ status }) => status.startsWith('2'));
  const documented = successes.flatMap(({ content = {} }) => Object.keys(content));
  const types = [...new Set(documented)].filter((type) => type !== 'application/octet-stream');
  return types.every((type) => type === 'application/json') ? undefined : types.join(', ');
}

/** A parameter that may contain slashes keeps them. */
function encodePath(value: string, parameter: OpenApiParameter | undefined): string {
  const keepsSlashes = parameter?.['x-slashes'] === true;
  return keepsSlashes ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
}

/** Values that work at this mock: examples for what is required, defaults of the server. */
export function initialFields({ parameters }: ListedOperation, { variables = {} }: Server): Record<string, string> {
  const required = parameters.filter(({ required: isRequired }) => isRequired === true);
  return Object.fromEntries([
    ...Object.entries(variables).map(([name, variable]) => [name, variable.default] as const),
    ...required.map(({ name, example }) => [name, valueText(example)] as const),
  ]);
}

/** The first example of the body; undefined without a body. */
export function initialBody({ body }: ListedOperation, document: OpenApiDocument): unknown {
  const [content] = Object.values(body?.content ?? {});
  if (content === undefined) return undefined;
  const [first] = Object.values(content.examples ?? {});
  return first === undefined ? {} : resolve<OpenApiExample>(document, first).value;
}

/** Removes white space between the tokens of JSON; other text stays as it is. Numbers and repeated keys stay as written. */
export function compactJson(text: string): string {
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
}

/** The text of an example body: JSON, a form, or plain text. */
export function bodyText(value: unknown, contentType: string): string {
  if (contentType.includes('json')) return JSON.stringify(value, null, 2);
  if (contentType === 'application/x-www-form-urlencoded')
    return String(new URLSearchParams(value as Record<string, string>));
  if (contentType === MULTIPART) return multipartText(value as Record<string, string>);
  return valueText(value);
}

/** Each field is a file. */
function multipartText(fields: Record<string, string>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\nContent-Disposition: form-data; name="${name}"; filename="${name}"\n\n${value}\n`,
  );
  return `${parts.join('')}--${BOUNDARY}--\n`;
}
