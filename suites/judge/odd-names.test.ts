/** No judgement fails itself on member names and parameters that every JavaScript object has. */
import { expect, test } from 'vitest';
import { operations } from '../../spec/operations.ts';
import { collectCases } from '../engine/collect-cases.ts';
import { exampleBodies, placesIn, valueAt, replaceAt } from '../generators/invalid-body.ts';
import { isFields } from '../json/fields.ts';
import { testExchange, testTarget } from '../testing/test-run.ts';
import { openJudgeBook } from './judge-book.ts';
import { seenOf } from './seen.ts';

await collectCases();

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];

/** With a member of each odd name in every object. */
function withOddMembers(body: unknown): unknown {
  const objects = placesIn(body).filter((place) => isFields(valueAt(body, place)));
  const odd = JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:{"type":"x"}`).join()}}`) as object;
  // The innermost first: a replaced object contains those within it.
  return objects
    .toSorted((one, other) => other.length - one.length)
    .reduce(
      (json, place) =>
        replaceAt(
          json,
          place,
          Object.fromEntries([...Object.entries(valueAt(json, place) as object), ...Object.entries(odd)]),
        ),
      body,
    );
}

const target = testTarget({ address: 'https://api.example' });
const query = names.map((name) => `${name}=1`).join('&');

test.each(operations)('odd names in requests and responses of $id', (operation) => {
  const path = operation.path.replaceAll(/\{[^}]+\}/g, 'demo-agent');
  const bodies = operation.hasBody ? exampleBodies(operation).map(withOddMembers) : [undefined];
  const book = openJudgeBook(target);
  for (const body of bodies)
    for (const status of [200, 400, 404]) {
      const json = body ?? withOddMembers({ data: [{}] });
      const seen = seenOf(
        {
          ...testExchange,
          surface: operation.surface,
          operation: operation.id,
          credential: 'SVC_ADMIN_TOKEN',
          request: {
            method: operation.method,
            url: `${target.addresses[operation.surface]}${path}?${query}`,
            headers: { 'Content-Type': 'application/json' },
            ...(body !== undefined && { body: JSON.stringify(body) }),
          },
          response: { status, headers: { 'content-type': 'application/json' }, text: JSON.stringify(json), json },
        },
        target,
      );
      if (seen !== undefined) book.see(seen);
    }
  expect(book.findings().size).toBeGreaterThan(0);
});
