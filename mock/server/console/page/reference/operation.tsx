/** The page of an operation. */
import type { TargetFile } from '../../../../../spec/formats/target-file.ts';
import type { OpenApiDocument, OpenApiParameter } from '../../../../../spec/openapi-document.ts';
import { ContentView } from './content.tsx';
import type { ListedOperation, ListedResponse, SurfaceReference } from './operations.ts';
import { Constraints } from './schema.tsx';
import { resolveSchema, typeOf } from './schema-facts.ts';
import { accessOf } from './security.ts';
import { Text } from './text.tsx';
import { TryIt } from './try-it.tsx';
import { valueText } from './value-text.ts';

interface Props {
  operation: ListedOperation;
  reference: SurfaceReference;
  target: TargetFile;
}

export function OperationPage({ operation, reference: { document }, target }: Props) {
  const { id, method, path, summary, description, parameters, body, responses, surface } = operation;
  const [, server] = document.servers;
  return (
    <article>
      <p class="back">
        <a href={`#${surface}`}>All operations of the {surface} API</a>
      </p>
      <h1 tabIndex={-1}>{summary}</h1>
      <p class="operation-line">
        <Method method={method} /> <code>{path}</code>
      </p>
      <p class="operation-facts">
        <a href={`#${id}`}>{id}</a> <DocumentedBadge operation={operation} />
      </p>
      <Text>{description}</Text>
      <AccessSection operation={operation} />
      {parameters.length > 0 && (
        <section aria-labelledby="parameters">
          <h2 id="parameters">Parameters</h2>
          <ul class="schema">
            {parameters.map((parameter) => (
              <Parameter key={`${parameter.in} ${parameter.name}`} document={document} parameter={parameter} />
            ))}
          </ul>
        </section>
      )}
      {body !== undefined && (
        <section aria-labelledby="body">
          <h2 id="body">Request body {body.required === true && <strong class="required">required</strong>}</h2>
          <Text>{body.description}</Text>
          <ContentView document={document} content={body} name="the request" />
        </section>
      )}
      <TryIt key={id} operation={operation} document={document} server={server} target={target} />
      <section aria-labelledby="responses">
        <h2 id="responses">Responses</h2>
        {responses.map((response) => (
          <ResponseSection key={response.status} document={document} response={response} />
        ))}
      </section>
    </article>
  );
}

export const Method = ({ method }: { method: string }) => <b class={`method ${method.toLowerCase()}`}>{method}</b>;

export function DocumentedBadge({ operation: { isDocumented } }: { operation: ListedOperation }) {
  return (
    <span
      class={isDocumented ? 'badge documented' : 'badge'}
      title={badgeTitles[isDocumented ? 'documented' : 'inferred']}
    >
      {isDocumented ? 'documented' : 'inferred'}
    </span>
  );
}

const badgeTitles = {
  documented: 'The interface document shows this operation.',
  inferred: 'The interface document does not show this operation; it follows the pattern that all kinds share.',
} as const;

function AccessSection({ operation: { security } }: { operation: ListedOperation }) {
  const { scopes, sentence } = accessOf(security);
  return (
    <section aria-labelledby="access">
      <h2 id="access">Access</h2>
      <p>
        {sentence}{' '}
        {scopes.map((scope) => (
          <code key={scope} class="scope">
            {scope}
          </code>
        ))}
      </p>
    </section>
  );
}

function Parameter({ document, parameter }: { document: OpenApiDocument; parameter: OpenApiParameter }) {
  const { name, in: place, required = false, description, schema, example } = parameter;
  return (
    <li>
      <p class="property">
        <code>{name}</code>{' '}
        <span class="type">
          {typeOf(document, schema)} in the {place}
        </span>
        {required && <strong class="required">required</strong>}
      </p>
      <Constraints schema={resolveSchema(document, schema)} />
      <Text>{description}</Text>
      {example !== undefined && (
        <p class="constraints">
          Example: <code>{valueText(example)}</code>
        </p>
      )}
    </li>
  );
}

/** Successful responses are unfolded. */
function ResponseSection({ document, response }: { document: OpenApiDocument; response: ListedResponse }) {
  const { status, description, headers = {} } = response;
  return (
    <details class="response" open={status.startsWith('2')}>
      <summary>
        <b class={`code ${toneOf(status)}`}>{status}</b> {description}
      </summary>
      {Object.entries(headers).map(([name, header]) => (
        <p key={name} class="constraints">
          Header <code>{name}</code>: {header.description}
        </p>
      ))}
      <ContentView document={document} content={response} name={`the response ${status}`} />
      {response.content === undefined && <p class="soft">No body is documented.</p>}
    </details>
  );
}

function toneOf(status: string): string {
  if (/^[123]/.test(status)) return 'good';
  return status.startsWith('4') ? 'refused' : 'bad';
}
