/** The overview of a surface: what it is for, where it is, and its operations by tag. */
import { DocumentedBadge, Method } from './operation.tsx';
import type { SurfaceReference } from './operations.ts';
import { Inline, Text } from './text.tsx';

export function Overview({ reference: { name, document, operations } }: { reference: SurfaceReference }) {
  const { info, tags } = document;
  const [, server] = document.servers;
  const documentedCount = operations.filter(({ isDocumented }) => isDocumented).length;
  return (
    <article>
      <h1 tabIndex={-1}>{info.title}</h1>
      <Text>{info.description}</Text>
      <dl class="facts">
        <div>
          <dt>Version</dt>
          <dd>{info.version}</dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            <code>{`${location.origin}${server.url}`}</code>
          </dd>
        </div>
        <div>
          <dt>Operations</dt>
          <dd>
            {operations.length}, {documentedCount} of them documented
          </dd>
        </div>
        <div>
          <dt>OpenAPI</dt>
          <dd>
            <a href={`docs/${name}.json`}>{name}.json</a>
          </dd>
        </div>
      </dl>
      <Credentials schemes={document.components.securitySchemes} />
      {tags.map((tag) => (
        <section key={tag.name} aria-labelledby={`tag-${tag.name}`}>
          <h2 id={`tag-${tag.name}`}>{tag.name}</h2>
          {tag.description !== undefined && (
            <p class="text">
              <Inline text={tag.description} />
            </p>
          )}
          <ul class="operation-list">
            {operations
              .filter((operation) => operation.tag === tag.name)
              .map((operation) => (
                <li key={operation.id}>
                  <Method method={operation.method} /> <a href={`#${operation.id}`}>{operation.summary}</a>
                  <code class="path">{operation.path}</code>
                  <DocumentedBadge operation={operation} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

interface Scheme {
  readonly description?: string;
  readonly flows?: Readonly<Record<string, { readonly scopes: Readonly<Record<string, string>> }>>;
}

/** How requests are authenticated, and all scopes. */
function Credentials({ schemes }: { schemes: Readonly<Record<string, Scheme>> }) {
  const scopes = new Map(
    Object.values(schemes).flatMap(({ flows = {} }) =>
      Object.values(flows).flatMap((flow) => Object.entries(flow.scopes)),
    ),
  );
  return (
    <details class="credentials">
      <summary>Credentials{scopes.size > 0 && ` and ${scopes.size} scopes`}</summary>
      {Object.entries(schemes).map(([name, { description }]) => (
        <Text key={name}>{description}</Text>
      ))}
      <ul class="scopes">
        {[...scopes].map(([scope, description]) => (
          <li key={scope}>
            <code>{scope}</code> <span class="soft">{description}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
