import { expect, test } from 'vitest';
import { newAjv, READERS_KEYWORDS, type Ajv } from './ajv.ts';
import type { Content, OpenApiDocument, OpenApiExample, OpenApiOperation, Schema } from './openapi-document.ts';
import { documentOf } from './documents.ts';
import { eachOperation, resolve, surfaces } from './openapi-document.ts';
import { findingsOf } from './findings.ts';

interface Body {
  at: string;
  schema: Schema;
  examples: [string, OpenApiExample][];
}

/** Every request and response body of a document with its examples. */
function bodiesOf(document: OpenApiDocument): Body[] {
  return eachOperation(document).flatMap(({ operation }) =>
    contents(document, operation).flatMap(([at, { content = {} }]) =>
      Object.entries(content).map(([type, { schema, examples = {} }]) => ({
        at: `${operation.operationId} ${at} ${type}`,
        schema,
        examples: Object.entries(examples).map(([name, each]) => [name, resolve(document, each)]),
      })),
    ),
  );
}

function contents(document: OpenApiDocument, { requestBody, responses }: OpenApiOperation): [string, Content][] {
  const responseContents = Object.entries(responses).map(([status, each]): [string, Content] => [
    status,
    resolve(document, each),
  ]);
  return requestBody === undefined
    ? responseContents
    : [['request', resolve(document, requestBody)], ...responseContents];
}

/** The components of a document are compiled once, when the first schema refers to them. */
const compilers = new Map<OpenApiDocument, Ajv>();

function compilerOf(document: OpenApiDocument): Ajv {
  const known = compilers.get(document);
  if (known !== undefined) return known;
  const ajv = newAjv({ keywords: [...READERS_KEYWORDS, 'components'] });
  ajv.addSchema({ components: { schemas: document.components.schemas } }, 'document');
  compilers.set(document, ajv);
  return ajv;
}

/** What is wrong with a value against a schema of a document. */
function findings(document: OpenApiDocument, schema: Schema, value: unknown) {
  const text = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = compilerOf(document).compile(JSON.parse(text) as Schema);
  return validate(value) ? [] : findingsOf(validate.errors ?? []).map(({ says }) => says);
}

test.each(surfaces)('every request and response body of the %s document has an example', (surface) => {
  const bodies = bodiesOf(documentOf(surface));
  expect(bodies.length).toBeGreaterThan(10);
  expect(bodies.filter(({ examples }) => examples.length === 0).map(({ at }) => at)).toEqual([]);
});

test.each(surfaces)('every example of the %s document is valid against its schema', (surface) => {
  const document = documentOf(surface);
  const tried = new Set<string>();
  for (const { at, schema, examples } of bodiesOf(document)) {
    for (const [name, { value }] of examples) {
      const pair = `${name} ${JSON.stringify(schema)}`;
      if (tried.has(pair)) continue;
      tried.add(pair);
      expect(findings(document, schema, value), `${at} ${name}`).toEqual([]);
    }
  }
});

test.each(surfaces)('every parameter example of the %s document is valid against its schema', (surface) => {
  const document = documentOf(surface);
  const parameters = new Map(eachOperation(document).flatMap((each) => each.parameters.map((it) => [it.name, it])));
  const withExample = [...parameters.values()].filter(({ example }) => example !== undefined);
  expect(withExample.filter(({ schema, example }) => findings(document, schema, example).length > 0)).toEqual([]);
});

test('an invalid example is detected', () => {
  const document = documentOf('management');
  expect(findings(document, { $ref: '#/components/schemas/Agent' }, { metadata: { name: 'A' } })).toHaveLength(2);
});

test('the examples of an agent contain every field of the interface', () => {
  const document = documentOf('management');
  const text = JSON.stringify(document.components['examples']?.['AgentExample']);
  const { schemas } = document.components;
  const names = ['Metadata', 'AgentSpec', 'RevisionConfiguration', 'AgentRuntime', 'Env', 'Trigger', 'CoreEvent'];
  names.push('TriggerConfiguration', 'VolumeAttachment', 'Repository');
  const fields = names.flatMap((name) => Object.keys(schemas[name]?.properties ?? {}));
  expect(fields.filter((field) => field !== 'valueFrom' && !text.includes(`"${field}":`))).toEqual([]);
});
