/** The parts of HTTP Archive 1.2 that are read, as the writers of such files really write them. */
import { z } from 'zod';

// A missing part or one of another type is as good as unknown, except where it would look like a part that is known to be absent.
const text = z.string().optional().catch(undefined);
const number = z.number().optional().catch(undefined);
/** Writers put true, a text or null into the fields of their own. */
const mark = z.unknown().optional();

// Wrong names make the whole entry invalid: a request without its Authorization would look like one without credentials.
const headers = z
  .array(z.object({ name: z.string(), value: text }))
  .nullish()
  .transform((list) => list ?? []);

/** A body in the file, or in a file of its own. */
const body = z
  .object({
    mimeType: text,
    text,
    encoding: text,
    size: number,
    params: z.array(z.unknown()).optional().catch(undefined),
    _file: text,
  })
  .transform(({ _file: file, ...rest }) => ({ ...rest, file }));

export type HarBody = z.infer<typeof body>;

const nothing: HarBody = { mimeType: '', text: undefined, encoding: '', size: -1, params: [], file: undefined };

const request = z.object({
  method: z.string().min(1).toUpperCase(),
  url: z.string(),
  headers,
  /** Undefined if there is none; without text if it is invalid. */
  postData: z
    .union([z.null(), body])
    .optional()
    .catch(nothing)
    .transform((found) => found ?? undefined),
  bodySize: number,
});

const response = z
  .object({
    status: z.number().int().catch(0),
    headers,
    content: body.optional().catch(nothing),
    bodySize: number,
    _transferSize: number,
    _error: mark,
    _failureText: mark,
    _fromDiskCache: mark,
  })
  .transform(
    ({
      content = nothing,
      _transferSize: transferSize,
      _error: error,
      _failureText: failureText,
      _fromDiskCache: fromDiskCache,
      ...rest
    }) => ({
      ...rest,
      content,
      isInterrupted: isSet(error) || isSet(failureText),
      // -1 is an unknown size; less is what is left if the size of the headers is subtracted from nothing.
      isCached: isSet(fromDiskCache) || transferSize === 0 || (rest.bodySize ?? 0) < -1,
    }),
  );

const noResponse = { status: 0, headers: [], content: nothing, bodySize: -1, isInterrupted: true, isCached: false };

const message = z.object({ eventName: text, eventId: text, data: z.string() });

export const entrySchema = z
  .object({
    startedDateTime: text,
    time: number,
    request,
    response: z
      .union([z.null(), response])
      .optional()
      .transform((found) => found ?? noResponse),
    _resourceType: text,
    _error: mark,
    _failureText: mark,
    _wasFulfilled: mark,
    _fromCache: mark,
    _fromDiskCache: mark,
    _fetchedViaServiceWorker: mark,
    _eventSourceMessages: z.array(message).optional().catch(undefined),
  })
  .transform(
    ({
      startedDateTime = '',
      time = -1,
      request: sent,
      response: received,
      _resourceType: resourceType,
      _error: error,
      _failureText: failureText,
      _wasFulfilled: wasFulfilled,
      _eventSourceMessages: messages,
      ...caches
    }) => ({
      startedDateTime,
      time,
      request: sent,
      response: received,
      resourceType,
      messages,
      isInterrupted: received.isInterrupted || isSet(error) || isSet(failureText),
      /** A test answered the request, not a server. */
      isInvented: isSet(wasFulfilled),
      isCached: received.isCached || Object.values(caches).some(isSet),
    }),
  );

const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== false && value !== '';

export type HarEntry = z.infer<typeof entrySchema>;

export const harSchema = z.object({
  log: z.object({
    creator: z.object({ name: text, version: text }).optional().catch(undefined),
    comment: text,
    entries: z.array(z.unknown()),
  }),
});
