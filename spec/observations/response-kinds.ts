/** Kinds of observed responses: status, media type, and the shape of the body. */
import { z } from 'zod';
import { httpStatus, kind, NO_RESPONSE, notSuccess, success, type ValueKind } from './value-kind.ts';

/**
 * What a body looks like. `nothing`: it is empty; `text`: it is not JSON; `scalar`: neither a list nor an object;
 * `any`: not recorded. A list has the shape of its first item; an object has its members' shapes by name.
 */
export type BodyShape =
  | (typeof simpleShapes)[number]
  | { readonly list: BodyShape }
  | { readonly object: Readonly<Record<string, BodyShape>> };

const simpleShapes = [
  'nothing',
  'text',
  'any',
  'scalar',
  'string',
  'number',
  'boolean',
  'null',
  'list',
  'empty list',
  'object',
] as const;

const withoutMembers = z.enum(['nothing', 'text', 'string', 'number', 'boolean', 'null']);

const objectShape = <Member extends z.ZodType<BodyShape>>(member: Member) =>
  z.strictObject({ object: z.record(z.string(), member).readonly() }).readonly();

/** Of an object only the members' names. */
const flatShape: z.ZodType<BodyShape> = z.union([withoutMembers, z.literal('list'), objectShape(z.literal('any'))]);

/** Members at two levels. */
const deepShape: z.ZodType<BodyShape> = z.lazy(() =>
  z.union([
    withoutMembers,
    z.literal('empty list'),
    z.strictObject({ list: deepShape }).readonly(),
    objectShape(z.union([z.enum(['scalar', 'list']), objectShape(z.enum(['scalar', 'list', 'object']))])),
  ]),
);

export interface ObservedResponse {
  readonly status: number;
  /** Without parameters; null if the response has none, absent if it was not recorded. */
  readonly mediaType?: string | null | undefined;
  /** Absent if it was not recorded. */
  readonly body?: BodyShape | undefined;
  /** Another response that has the very same body. */
  readonly sameBodyAs?: 'the write' | 'the plain path' | undefined;
}

/** RFC 9110 15.3.5, 15.4.5. */
export const isNoBodyStatus = (status: number): boolean => status === 204 || status === 304;

/** The shape of an object of which only the members' names are known. */
export const objectOf = (...names: readonly string[]): BodyShape => ({
  object: Object.fromEntries(names.map((name) => [name, 'any'])),
});

const mediaTypeOrNone = z.string().nullable();
const orNoResponse = (schema: z.ZodType<ObservedResponse>): ValueKind<ObservedResponse | typeof NO_RESPONSE> =>
  kind(z.union([schema, z.literal(NO_RESPONSE)]), (value) => (value === NO_RESPONSE ? value : renderResponse(value)));

export const responseOrNone = orNoResponse(
  z.strictObject({ status: httpStatus, mediaType: mediaTypeOrNone, body: flatShape }).readonly(),
);

/** Of a stream, or of a refusal of one. */
export const streamHead = orNoResponse(
  z.strictObject({ status: httpStatus, mediaType: z.literal('text/event-stream').optional() }).readonly(),
);

/** Of a refusal only the status. */
export const workloadResponse: ValueKind<ObservedResponse> = kind(
  z.union([
    z.strictObject({ status: success, mediaType: mediaTypeOrNone, body: flatShape }).readonly(),
    z.strictObject({ status: notSuccess }).readonly(),
  ]) as z.ZodType<ObservedResponse>,
  renderResponse,
);

/** `comparedWith`: the other response whose body may be the very same. */
export const treeResponse = (
  ...comparedWith: readonly NonNullable<ObservedResponse['sameBodyAs']>[]
): ValueKind<ObservedResponse> =>
  kind(
    z
      .strictObject({ status: httpStatus, body: flatShape, sameBodyAs: z.enum(comparedWith).optional() })
      .readonly() as z.ZodType<ObservedResponse>,
    renderResponse,
  );

function renderResponse({ status, mediaType, body, sameBodyAs }: ObservedResponse): string {
  const type = mediaType === undefined ? [] : [mediaType ?? 'no Content-Type'];
  const shape = body === undefined ? [] : [renderBody(body)];
  const same = sameBodyAs === undefined ? [] : [`the same body as ${sameBodyAs}`];
  return [status, ...type, ...shape, ...same].join(', ');
}

function renderBody(shape: BodyShape): string {
  if (shape === 'nothing') return 'no body';
  if (shape === 'text') return 'not JSON';
  if (typeof shape === 'string') return shape;
  return 'list' in shape ? `list of ${renderBody(shape.list)}` : `{${membersOf(shape.object)}}`;
}

const membersOf = (members: Readonly<Record<string, BodyShape>>): string =>
  Object.entries(members)
    .map(([name, shape]) => (shape === 'any' || shape === 'scalar' ? name : `${name} ${renderBody(shape)}`))
    .join(', ');

/** The shape of a success, for any status; only the status of an error. */
export const successShape = kind(
  z.union([z.strictObject({ body: deepShape }).readonly(), z.strictObject({ status: notSuccess }).readonly()]),
  (value) => ('body' in value ? renderBody(value.body) : `status ${value.status}`),
);
