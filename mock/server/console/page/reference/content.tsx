/** The content of a request or a response: for each media type, its schema and its examples. */
import { resolve } from '../../../../../spec/openapi-document.ts';
import type { Content, OpenApiDocument, OpenApiExample } from '../../../../../spec/openapi-document.ts';
import { escapeInvisible } from '../format.ts';
import { bodyText } from './request.ts';
import { SchemaTree } from './schema.tsx';
import { typeOf } from './schema-facts.ts';

/** `name` is unique in the page. */
export function ContentView({
  document,
  content,
  name,
}: {
  document: OpenApiDocument;
  content: Content;
  name: string;
}) {
  return Object.entries(content.content ?? {}).map(([type, { schema, examples = {} }]) => (
    <div key={type} class="content">
      <p class="soft">
        <code>{type}</code>, {typeOf(document, schema)}
      </p>
      <SchemaTree document={document} schema={schema} />
      {Object.entries(examples).map(([title, example]) => {
        const { summary, value } = resolve<OpenApiExample>(document, example);
        return (
          <details key={title} class="example">
            <summary>
              Example <span class="code">{title}</span>
              {summary !== undefined && `: ${summary}`}
            </summary>
            <pre aria-label={`Example ${title} of ${name}`} role="group">
              {escapeInvisible(bodyText(value, type))}
            </pre>
          </details>
        );
      })}
    </div>
  ));
}
