/** Compares a document with the interface: missing or different operations, parameters, responses and fields. */
import { earliestStable, isKnownVersion } from '../versions.ts';
import type { Surface } from '../openapi-document.ts';
import { documentName, documentOf } from '../documents.ts';
import { surfaces } from '../openapi-document.ts';
import type { OperationId } from '../operations.ts';
import type { RequirementId } from '../requirements/index.ts';
import type { Response, Body, Content, Model, Operation, Parameter } from '../ruleset/document/model.mjs';
import { modelOf } from '../ruleset/document/model.mjs';
import { below, textOf } from '../ruleset/document/place.mjs';
import type { Segment } from '../ruleset/document/place.mjs';
import { isNotShown, propertyNames } from '../ruleset/document/schema.mjs';
import type { Schema } from '../ruleset/document/schema.mjs';
import type { ComparedSchemas, FieldDifference } from './fields.ts';
import { compareFields } from './fields.ts';
import { operationRequirements, partRequirements } from './part-requirements.ts';

export interface CoverageGap {
  /** One sentence. */
  message: string;
  /** Path in the document at which it is missing or different. */
  path: readonly Segment[];
  requirements: readonly RequirementId[];
}

export interface Coverage {
  /** Number of documented operations and how many of them the document has. Surfaces without any are omitted. */
  operations: Partial<Record<Surface, { shown: number; covered: number }>>;
  lacks: readonly CoverageGap[];
}

interface DocumentedOperation extends Operation {
  id: OperationId;
  surface: Surface;
}

const NOTHING_COVERED: CoverageGap = {
  message: 'The document has none of the operations that the interface shows.',
  path: ['paths'],
  requirements: [],
};

/** Compares only the surfaces of which the document has an operation; it must have at least one. */
export function coverageOf(model: Model): Coverage {
  const version = describedVersion(model);
  const operationsOf = (surface: Surface): DocumentedOperation[] => documentedOperations(surface, version);
  const coveredSurfaces = surfaces.filter((surface) =>
    operationsOf(surface).some((each) => counterpart(model, each) !== undefined),
  );
  const documented = coveredSurfaces.flatMap(operationsOf);
  const pairs = documented.flatMap((ours) => {
    const theirs = counterpart(model, ours);
    return theirs === undefined ? [] : [{ ours, theirs }];
  });
  const compared: ComparedSchemas = new Map();
  return {
    operations: Object.fromEntries(coveredSurfaces.map((surface) => [surface, countOf(model, operationsOf(surface))])),
    lacks: [
      ...(coveredSurfaces.length === 0 ? [NOTHING_COVERED] : []),
      ...documented.filter((each) => counterpart(model, each) === undefined).map(missing),
      ...pairs.flatMap(callLacks),
      // Responses first: a schema used in both directions is reported once, and responses require more.
      ...pairs.flatMap((pair) => responseLacks(pair, compared)),
      ...pairs.flatMap((pair) => requestLacks(pair, compared)),
    ],
  };
}

const countOf = (model: Model, documented: readonly DocumentedOperation[]) => ({
  shown: documented.length,
  covered: documented.filter((each) => counterpart(model, each) !== undefined).length,
});

/** The listed version that the document says it describes, or else the earliest one. */
function describedVersion({ root }: Model): string {
  const version = textOf(below(root, 'info', 'version')) ?? '';
  return isKnownVersion(version) ? version : earliestStable;
}

const read = new Map<string, DocumentedOperation[]>();

/** Returns the documented operations of a surface in a listed version. */
export function documentedOperations(surface: Surface, version: string = earliestStable): DocumentedOperation[] {
  const name = documentName(surface, version);
  let found = read.get(name);
  if (found === undefined) {
    const operations = modelOf(documentOf(surface, version), null, () => undefined)?.operations ?? [];
    found = operations
      .filter(({ place }) => below(place, 'x-documented')?.value !== false)
      .map((each) => ({ ...each, id: textOf(below(each.place, 'operationId')) as OperationId, surface }));
    read.set(name, found);
  }
  return found;
}

function counterpart(model: Model, documented: DocumentedOperation): Operation | undefined {
  return model.operations.find(
    ({ surface, method, path }) =>
      surface === documented.surface && method === documented.method && path === documented.path,
  );
}

function missing({ id, surface, name }: DocumentedOperation): CoverageGap {
  return {
    message: `The document has no ${name} (${surface}, ${id}).`,
    path: ['paths'],
    requirements: operationRequirements(id),
  };
}

interface Pair {
  ours: DocumentedOperation;
  theirs: Operation;
}

function createLack({ ours, theirs }: Pair, part: string, says: string, path: readonly Segment[]): CoverageGap {
  return { message: `${theirs.name}: ${says}.`, path, requirements: partRequirements(ours.id, part) };
}

/** Scopes documented for an operation. */
const SCOPES: Partial<Record<OperationId, readonly string[]>> = { updateAgent: ['admin', 'agents:update'] };

/** Compares parameters and scopes. */
function callLacks(pair: Pair): CoverageGap[] {
  const { ours, theirs } = pair;
  const acceptedScopes = theirs.security.flatMap(({ schemes }) => schemes.flatMap(([, scopes]) => scopes));
  const missingScopes = (SCOPES[ours.id] ?? []).filter((scope) => !acceptedScopes.includes(scope));
  const absent = ours.parameters.filter(
    (each) => isExpected(each) && !theirs.parameters.some((other) => isSame(each, other)),
  );
  const { path } = theirs.place;
  return [
    ...absent.map(({ in: where, name }) =>
      createLack(pair, `${where} ${name}`, `the ${where} parameter ${withoutBrand(name)} is missing`, path),
    ),
    ...missingScopes.map((scope) => createLack(pair, `scope ${scope}`, `the scope ${scope} is not accepted`, path)),
  ];
}

function responseLacks(pair: Pair, compared: ComparedSchemas): CoverageGap[] {
  const { ours, theirs } = pair;
  return ours.responses
    .filter(({ status }) => status !== 'default')
    .flatMap((response) => {
      const [part, other] = [`response ${response.status}`, matchingResponse(response, theirs.responses)];
      if (other === undefined) return [createLack(pair, part, `the ${part} is missing`, theirs.place.path)];
      if (!response.status.startsWith('2')) return [];
      return bodyLacks(pair, part, `the ${part}`, [response, other], (our, their) =>
        compareFields(our, their, 'response', compared),
      );
    });
}

function requestLacks(pair: Pair, compared: ComparedSchemas): CoverageGap[] {
  const { ours, theirs } = pair;
  if (ours.requestBody === undefined) return [];
  return bodyLacks(pair, 'request', 'the request body', [ours.requestBody, theirs.requestBody], (our, their) =>
    compareFields(our, their, 'request', compared),
  );
}

/** Path parameters are compared with the path; undocumented parameters may have any name. */
const isExpected = ({ in: location, place }: Parameter) =>
  location !== 'path' && below(place, 'x-not-shown')?.value !== true;

/** Header names are compared case-insensitively and with any brand. */
function isSame(ours: Parameter, theirs: Parameter): boolean {
  if (ours.in !== theirs.in) return false;
  if (ours.in !== 'header') return ours.name === theirs.name;
  const form = new RegExp(`^${ours.name.replace('Svc', String.raw`[a-z][a-z\d]*`)}$`, 'i');
  return form.test(theirs.name);
}

const withoutBrand = (name: string) => name.replace('Svc', '<Brand>');

/** If the body of a success is not documented, neither is its status. */
function matchingResponse({ status, contents }: Response, theirs: readonly Response[]): Response | undefined {
  const exact = theirs.find((each) => each.status === status);
  const range = theirs.find((each) => each.status.toUpperCase() === `${status[0]}XX`);
  if (exact ?? range) return exact ?? range;
  if (!status.startsWith('2')) return theirs.find((each) => each.status === 'default');
  return contents.every(isOpen) ? theirs.find((each) => each.status.startsWith('2')) : undefined;
}

const isOpen = ({ schema }: Content) =>
  schema === undefined || (isNotShown(schema) && propertyNames(schema).length === 0);

function bodyLacks(
  pair: Pair,
  part: string,
  what: string,
  [ours, theirs]: readonly [Body, Body | undefined],
  compare: (ours: Schema, theirs: Schema) => FieldDifference[],
): CoverageGap[] {
  const documented = ours.contents.find(({ type }) => isJson(type));
  if (documented?.schema === undefined || isOpen(documented)) return [];
  const schema = theirs?.contents.find(({ type }) => isJson(type))?.schema;
  if (schema === undefined) {
    return [createLack(pair, part, `${what} has no JSON of a known shape`, (theirs ?? pair.theirs).place.path)];
  }
  return compare(documented.schema, schema).map(({ field, says, path }) =>
    createLack(
      pair,
      `${part} ${field}`,
      field === '' ? `${what} ${says}` : `the field ${field} of ${what} ${says}`,
      path,
    ),
  );
}

const isJson = (type: string) => /^application\/([\w.-]+\+)?json\b/i.test(type);
