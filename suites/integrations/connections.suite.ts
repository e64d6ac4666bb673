/** integrations.connections.*: accepted and refused credentials of a third party. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms } from '../engine/conforms.ts';
import { fieldsOf, isFields, isOmitted } from '../json/fields.ts';
import { refuses } from '../judge/judgement.ts';
import { isAboutSomethingElse } from '../kit/resources/seen-resource.ts';
import { beginnings, shrinkable } from '../generators/shrinkable.ts';
import type { Run } from '../engine/conforms.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { asciiText } from '../generators/display-name.ts';
import { nonString, nonStrings } from '../generators/labels.ts';
import { kindOfValue } from '../generators/wrong-type.ts';
import { createOperations, plainestMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { eachRefused } from '../kit/provision/each-refused.ts';
import { needAcceptedCreate } from '../kit/provision/samples.ts';
import { repeatRefused } from '../kit/provision/quota.ts';
import { MAX_CREATED } from '../kit/provision/places.ts';
import { acceptedWrite, isRepeatable, leastRefusedWrite, performWrite } from '../kit/provision/writes.ts';
import { isSuccessful } from '../target/eventually.ts';
import { formatValue } from '../expect/format-value.ts';
import { statusClass } from '../expect/status.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

type Secret = Readonly<Record<string, unknown>>;

const mailConnections = (run: Run): CreateOperation[] =>
  createOperations(run).filter(({ id }) => id === 'createIntegrationConnection');

const specOf = (integration: string | undefined, secret: unknown) => ({ spec: { integration, secret } });

conforms('integrations.connections.create-succeeds', async (run) => {
  const { secretKeys } = run.rule.values;
  for (const create of mailConnections(run)) {
    const result = await leastRefusedWrite(run, create);
    needAcceptedCreate(run, create.id, result.exchange, 'a connection');
    run.check(statusClass(result.exchange, '2xx'));
    if (!isRepeatable(run, create) || !(await acceptsMadeUpSecrets(run, create, secretKeys))) continue;
    const accepted: { readonly spec: unknown }[] = [];
    const isTaken = async ({ values }: { readonly values: readonly string[] }): Promise<Mismatch[]> => {
      const secret = Object.fromEntries(secretKeys.map((key, index) => [key, values[index]]));
      const more = specOf(run.target.resources.mailIntegration, secret);
      return refusedAlone(run, create, more, accepted);
    };
    await run.forEach([{ values: ['1', 'a%20b/c+d=', 'x'.repeat(LONG_TOKEN)] }], isTaken);
    await run.forAll(
      { values: shrinkable(fc.tuple(asciiText(1, 100), asciiText(1, 100), asciiText(1, LONG_TOKEN)), shorterTexts) },
      isTaken,
      // Servers that limit connections notice the sixth.
      { runs: Math.min(run.runs, 10) },
    );
  }
});

/** With one of the texts shorter. */
const shorterTexts = (texts: readonly string[]): [string, string, string][] =>
  texts.flatMap((text, index) =>
    beginnings(text).map((shorter) => texts.with(index, shorter) as [string, string, string]),
  );

/** A target may verify secrets with the provider. */
function acceptsMadeUpSecrets(run: Run, create: CreateOperation, keys: readonly string[]): Promise<boolean> {
  const secret = Object.fromEntries(keys.map((key) => [key, 'not-a-real-secret']));
  const more = specOf(run.target.resources.mailIntegration, secret);
  return madeUpSecrets.get(run, async () =>
    isSuccessful((await performWrite(run, create, plainestMetadata(run, create.id), { more })).exchange),
  );
}

const madeUpSecrets = sharedValue<boolean>();

/** As long as real refresh tokens of mail providers. */
const LONG_TOKEN = 512;

/**
 * A target may refuse some secrets. A refusal only counts if a secret that was accepted before is refused now, too, and that of the
 * document's example is accepted right after it, because a quota may be exhausted.
 */
async function refusedAlone(
  run: Run,
  create: CreateOperation,
  more: { readonly spec: unknown },
  accepted: { readonly spec: unknown }[],
): Promise<Mismatch[]> {
  const send = async (options: { more?: { readonly spec: unknown } }): Promise<Exchange> =>
    (await performWrite(run, create, plainestMetadata(run, create.id), options)).exchange;
  if (isSuccessful(await send({ more }))) {
    accepted.push(more);
    return [];
  }
  const skip = (): Mismatch[] =>
    run.skipInput(`a connection whose secret may be any text (refused: ${formatValue(more.spec, 200)})`);
  const [before] = accepted;
  if (before === undefined) return skip();
  const again = await send({ more: before });
  if (isSuccessful(again)) return skip();
  const isOtherAccepted = async () => isSuccessful(await send({}));
  const last = await repeatRefused(() => send({ more: before }), isSuccessful, isOtherAccepted);
  return last === undefined || isSuccessful(last) ? skip() : statusClass(last, '2xx');
}

refuses('integrations.connections.secret-rules', 'createIntegrationConnection', {
  isFlawed: ({ sent }, facts) => {
    const spec = fieldsOf(fieldsOf(sent)?.['spec']);
    const secret = fieldsOf(spec?.['secret']) ?? {};
    const { mailIntegration } = facts.resources ?? {};
    const isOfMail = mailIntegration !== undefined && spec?.['integration'] === mailIntegration;
    const { secretKeys } = requirement('integrations.connections.secret-rules').values;
    return (
      Object.values(secret).some((value) => !isOmitted(value) && typeof value !== 'string') ||
      (isOfMail && secretKeys.some((key) => isOmitted(secret[key])))
    );
  },
  status: '4xx',
  unless: isAboutSomethingElse,
});

conforms('integrations.connections.secret-rules', async (run) => {
  const { secretKeys } = run.rule.values;
  const whole: Secret = Object.fromEntries(secretKeys.map((key) => [key, 'not-a-real-secret']));
  const without = (keys: readonly string[]) =>
    Object.fromEntries(Object.entries(whole).filter(([key]) => !keys.includes(key)));
  const [first, ...others]: readonly Secret[] = secretKeys.map((key) => without([key]));
  const lacking = [
    first,
    // A server may count the keys.
    { ...others[0], OTHER: 'text' },
    ...others,
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
  const odd = [...secretKeys, 'OTHER'].flatMap((key) => nonStrings.map((value) => ({ ...whole, [key]: value })));
  await eachRefused(run, {
    candidates: mailConnections(run),
    invalidPart: {
      secret: fc.oneof(
        fc.subarray([...secretKeys], { minLength: 1 }).map(without),
        fc.tuple(fc.constantFrom(...secretKeys), nonString).map(([key, value]) => ({ ...whole, [key]: value })),
      ),
    },
    examples: [...lacking, ...odd].map((secret) => ({ secret })),
    classOf: ({ secret }) =>
      isFields(secret)
        ? Object.entries(secret)
            .map(([key, value]) => `${key}: ${kindOfValue(value)}`)
            .join()
        : kindOfValue(secret),
    request: ({ input }, name, { secret }) =>
      input({ name, displayName: name }, specOf(run.target.resources.mailIntegration, secret)),
  });
  await oddSecretsElsewhere(run);
});

/** The secret keys of other integrations are undocumented, but their values must be strings. */
async function oddSecretsElsewhere(run: Run): Promise<void> {
  const { integration } = run.target.resources;
  const [create] = mailConnections(run);
  if (integration === undefined || create === undefined || (await acceptedWrite(run, create)) === undefined) return;
  const secrets = nonStrings.flatMap((value) => [{ TOKEN: value }, { TOKEN: 'text', OTHER: value }]);
  await run.forEach(
    secrets,
    async (secret) => {
      const result = await performWrite(run, create, plainestMetadata(run, create.id), {
        more: specOf(integration, secret),
      });
      return statusClass(result.exchange, '4xx');
    },
    { concurrency: MAX_CREATED },
  );
}
