/** resources.envelope.*: the fields that every resource has. */
import { conforms } from '../engine/conforms.ts';
import { judges } from '../judge/judgement.ts';
import { hasDocumentedResource, returningResources, seenResource } from '../kit/resources/seen-resource.ts';
import type { Mismatch } from '../target/violation.ts';
import { resourceResponses } from './resource-responses.ts';
import { isFields, isOmitted } from '../json/fields.ts';
import {
  returnsResource,
  metadataOf,
  mismatch,
  returnedResource,
  formatValue,
} from '../kit/resources/returned-resource.ts';
import type { ReturnedResource } from '../kit/resources/returned-resource.ts';
import { templateResponse } from './template-response.ts';

/** Fields that may be omitted if the response is undocumented: a spec may contain secrets. */
const mayBeOmitted = ['spec', 'workspace'];

judges('resources.envelope.metadata-and-spec', returningResources, (seen) => {
  const returned = seenResource(seen);
  if (returned !== undefined) return misfits(returned, hasDocumentedResource(seen) ? [] : mayBeOmitted);
  return seen.status === 200 && returnsResource.has(seen.operation.id) ? noObject(seen.exchange) : undefined;
});

conforms('resources.envelope.metadata-and-spec', async (run) => {
  for (const exchange of await resourceResponses(run)) {
    const returned = returnedResource(exchange);
    if (returnsResource.has(exchange.operation))
      run.check(returned === undefined ? noObject(exchange) : misfits(returned));
    else if (returned?.resource['metadata'] !== undefined) run.check(misfits(returned, mayBeOmitted));
  }
  for (const returned of await templateResponse(run)) run.check(misfits(returned));
});

const noObject = (exchange: ReturnedResource['exchange']): Mismatch[] => [
  { expected: 'a resource', actual: formatValue(exchange.response.json), exchange },
];

function misfits(returned: ReturnedResource, optional: readonly string[] = []): Mismatch[] {
  const { metadata, spec } = returned.resource;
  const { name, workspace } = metadataOf(returned);
  const mayLack = (part: string, value: unknown): boolean => isOmitted(value) && optional.includes(part);
  return [
    ...Object.entries({ metadata, spec })
      .filter(([part, value]) => !isFields(value) && !mayLack(part, value))
      .map(([part, value]) => mismatch(returned, `${part}: an object`, `${part}: ${formatValue(value)}`)),
    ...Object.entries({ name, workspace })
      .filter(([field, value]) => (typeof value !== 'string' || value === '') && !mayLack(field, value))
      .map(([field, value]) =>
        mismatch(returned, `metadata.${field}: a string`, `metadata.${field}: ${formatValue(value)}`),
      ),
  ];
}
