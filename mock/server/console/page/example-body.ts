/** Finds the example of the body that creates a resource. The default world has none of its name. */
import { resolve } from '../../../../spec/openapi-document.ts';
import type { Content, OpenApiDocument, OpenApiExample } from '../../../../spec/openapi-document.ts';
import { requestJson } from './send-request.ts';

/** `path` is that of the collection, without a slash at the beginning. Returns indented JSON; throws ErrorResponse. */
export async function exampleBody(path: string): Promise<string> {
  const document = await requestJson<OpenApiDocument>('docs/management.json');
  const { content = {} } = resolve<Content>(document, document.paths[`/${path}`]?.post?.requestBody ?? {});
  const [first] = Object.values(content['application/json']?.examples ?? {});
  const example = first === undefined ? {} : resolve<OpenApiExample>(document, first).value;
  return JSON.stringify(example, null, 2);
}
