/** integrations.connections.*: what credentials of a third party are taken. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import type { Run } from '../engine/conforms.ts';
import { asciiText } from '../generators/display-name.ts';
import { notAString, notStrings } from '../generators/labels.ts';
import { creates, plainMetadata } from '../kit/provision/creates.ts';
import type { Create } from '../kit/provision/creates.ts';
import { eachRefused } from '../kit/provision/each-refused.ts';
import { needRoom } from '../kit/provision/used-up.ts';
import { accepted, first, isFree, written } from '../kit/provision/writes.ts';
import type { Written } from '../kit/provision/writes.ts';
import { isAnswered2xx } from '../target/eventually.ts';
import { statusClass } from '../expect/status.ts';
import type { Mismatch } from '../target/violation.ts';

type Secret = Readonly<Record<string, unknown>>;

const mailConnections = (run: Run): Create[] => creates(run).filter(({ id }) => id === 'createIntegrationConnection');

const specOf = (integration: string | undefined, secret: unknown): object => ({ spec: { integration, secret } });

conforms('integrations.connections.create-succeeds', async (run) => {
  const { secretKeys } = run.rule.values;
  for (const create of mailConnections(run)) {
    const rich = await first(run, create);
    // One that is refused for what its metadata hold is another rule's.
    const made = isAnswered2xx(rich.exchange) ? rich : await written(run, create, plainMetadata(run));
    needRoom(run, made.exchange, 'a connection');
    run.check(statusClass(made.exchange, '2xx'));
    if (!isFree(run, create)) continue;
    await run.forAll(
      { values: fc.tuple(asciiText(1, 100), asciiText(1, 100), asciiText(1, LONG_TOKEN)) },
      async ({ values }) => {
        const secret = Object.fromEntries(secretKeys.map((key, index) => [key, values[index]]));
        const more = specOf(run.target.resources.mailIntegration, secret);
        return refusedAlone(run, create, await written(run, create, plainMetadata(run), { more }));
      },
      { runs: Math.min(run.runs, 10), examples: [{ values: ['1', 'a%20b/c+d=', 'x'.repeat(LONG_TOKEN)] }] },
    );
  }
});

/** As long as refresh tokens of mail providers come. */
const LONG_TOKEN = 512;

/** A mismatch where the secret of the document's example is taken right after: a quota may be used up. */
async function refusedAlone(run: Run, create: Create, { exchange }: Written): Promise<Mismatch[]> {
  if (isAnswered2xx(exchange)) return [];
  const control = await written(run, create, plainMetadata(run));
  return isAnswered2xx(control.exchange) ? statusClass(exchange, '2xx') : [];
}

conforms('integrations.connections.secret-rules', async (run) => {
  const { secretKeys } = run.rule.values;
  const whole: Secret = Object.fromEntries(secretKeys.map((key) => [key, 'not-a-real-secret']));
  const without = (keys: readonly string[]) =>
    Object.fromEntries(Object.entries(whole).filter(([key]) => !keys.includes(key)));
  const lacking = [
    ...secretKeys.map((key) => without([key])),
    ...secretKeys.map((key) => without(secretKeys.filter((other) => other !== key))),
    {},
    undefined,
    [],
    'text',
    1,
    ...secretKeys.map((key) => ({ ...without([key]), [key.toLowerCase()]: 'text', OTHER: 'text' })),
    // Wrong or missing, as decision 016 has it of a name.
    ...secretKeys.map((key) => ({ ...whole, [key]: null })),
  ];
  const odd = [...secretKeys, 'OTHER'].flatMap((key) => notStrings.map((value) => ({ ...whole, [key]: value })));
  await eachRefused(run, {
    among: mailConnections(run),
    fault: {
      secret: fc.oneof(
        fc.subarray([...secretKeys], { minLength: 1 }).map(without),
        fc.tuple(fc.constantFrom(...secretKeys), notAString).map(([key, value]) => ({ ...whole, [key]: value })),
      ),
    },
    examples: [...lacking, ...odd].map((secret) => ({ secret })),
    request: ({ input }, name, { secret }) =>
      input({ name, displayName: name }, specOf(run.target.resources.mailIntegration, secret)),
  });
  await oddSecretsElsewhere(run);
});

/** Which keys another integration asks for is not shown, but none of them holds anything else than a text. */
async function oddSecretsElsewhere(run: Run): Promise<void> {
  const { integration } = run.target.resources;
  const [create] = mailConnections(run);
  if (integration === undefined || create === undefined || (await accepted(run, create)) === undefined) return;
  for (const value of notStrings)
    for (const secret of [{ TOKEN: value }, { TOKEN: 'text', OTHER: value }]) {
      const made = await written(run, create, plainMetadata(run), { more: specOf(integration, secret) });
      run.check(statusClass(made.exchange, '4xx'));
    }
}
