/** vpcs.create.*: the body of a create, and the response. */
import * as fc from 'fast-check';
import { conforms } from '../engine/conforms.ts';
import { judges, refuses } from '../judge/judgement.ts';
import { isAboutSomethingElse, isSuccess, sentMetadata } from '../kit/resources/seen-resource.ts';
import type { Run } from '../engine/conforms.ts';
import { isSuccessful } from '../target/eventually.ts';
import { status } from '../expect/status.ts';
import { labels } from '../generators/labels.ts';
import { callersOf, clientOf } from '../kit/provision/callers.ts';
import { createOperations, variedMetadata } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { eachRefused } from '../kit/provision/each-refused.ts';
import { needAcceptedCreate } from '../kit/provision/samples.ts';
import { isRepeatable, leastRefusedWrite, performWrite, plainestWrite, writeAlone } from '../kit/provision/writes.ts';
import type { WriteResult } from '../kit/provision/writes.ts';
import { repeatRefused } from '../kit/provision/quota.ts';
import { isFields, isOmitted } from '../json/fields.ts';
import { metadataOf, mismatch, returnedResource, formatValue } from '../kit/resources/returned-resource.ts';
import type { Exchange } from '../target/client.ts';
import type { Mismatch } from '../target/violation.ts';

const vpcs = (run: Run): CreateOperation[] => createOperations(run).filter(({ id }) => id === 'createVpc');

/** A refusal says nothing: which specs are accepted is not documented. */
judges('vpcs.create.answers-resource', 'createVpc', (seen) => {
  if (!isSuccess(seen) || seen.json === undefined) return undefined;
  return misfits(seen.exchange, sentMetadata(seen)['name']);
});

conforms('vpcs.create.answers-resource', async (run) => {
  for (const create of vpcs(run)) {
    const result = await leastRefusedWrite(run, create);
    needAcceptedCreate(run, create.id, result.exchange, 'a VPC');
    run.check(misfitsOf(result));
    if (!isRepeatable(run, create)) continue;
    await run.forEach(['minimal', ...callersOf(run)] as const, async (what) => {
      if (what !== 'minimal')
        return ofSuccess(await performWrite(run, create, variedMetadata(run), { as: clientOf(run, what) }));
      const minimal = await plainestWrite(run, create);
      if (isSuccessful(minimal.exchange)) return misfitsOf(minimal);
      const again = () => performWrite(run, create, { ...sentMetadataOf(result), name: run.newName() });
      const last = await repeatRefused(
        () => writeAlone(run, create),
        isAccepted,
        async () => isAccepted(await again()),
      );
      return last === undefined ? run.skipInput('a VPC that is accepted again') : misfitsOf(last);
    });
    await run.forAll(
      { sent: labels },
      async ({ sent }) => ofSuccess(await performWrite(run, create, { ...variedMetadata(run), labels: sent })),
      { runs: Math.min(run.runs, 5) },
    );
  }
});

const isAccepted = ({ exchange }: WriteResult): boolean => isSuccessful(exchange);

const sentMetadataOf = ({ input }: WriteResult): object => (input.body as { metadata: object }).metadata;

/** Other rules check the caller's permission and the labels. */
const ofSuccess = (result: WriteResult): Mismatch[] => (isSuccessful(result.exchange) ? misfitsOf(result) : []);

const misfitsOf = ({ exchange, input }: WriteResult): Mismatch[] =>
  misfits(exchange, (input.body as { metadata: { name: string } }).metadata.name);

/** 200 with all four parts, and under the name that was sent. */
function misfits(exchange: Exchange, sent: unknown): Mismatch[] {
  const returned = returnedResource(exchange);
  if (exchange.response.status !== 200 || returned === undefined)
    return [
      ...status(exchange, 200),
      ...(returned ? [] : [{ expected: 'a VPC', actual: formatValue(exchange.response.json), exchange }]),
    ];
  const { metadata, spec, status: state, events } = returned.resource;
  const parts = [
    ['metadata', 'an object', metadata, isFields(metadata)],
    ['spec', 'an object', spec, isFields(spec)],
    ['status', 'a string', state, typeof state === 'string'],
    ['events', 'an array', events, Array.isArray(events)],
  ] as const;
  const { name } = metadataOf(returned);
  return [
    ...parts
      .filter(([, , , fits]) => !fits)
      .map(([part, expected, value]) => mismatch(returned, `${part}: ${expected}`, `${part}: ${formatValue(value)}`)),
    ...(name === sent || typeof sent !== 'string'
      ? []
      : [mismatch(returned, `name ${formatValue(sent)}`, `name ${formatValue(name)}`)]),
  ];
}

const parts = ['metadata', 'spec'] as const;
type Envelope = Partial<Record<(typeof parts)[number], unknown>>;

/** Replaces one part or both. Undefined omits it; null may count as omitted (decision 016). */
const envelopes: readonly Envelope[] = [
  ...parts.flatMap((part) => [{ [part]: undefined }, { [part]: null }]),
  { metadata: undefined, spec: undefined },
];

refuses('vpcs.create.envelope-required', 'createVpc', {
  isFlawed: ({ sent }) => isFields(sent) && parts.some((part) => isOmitted(sent[part])),
  status: '4xx',
  unless: isAboutSomethingElse,
});

conforms('vpcs.create.envelope-required', async (run) => {
  await eachRefused(run, {
    candidates: vpcs(run),
    invalidPart: { envelope: fc.constantFrom(...envelopes) },
    // Twice, so that different callers send it.
    boundaries: [...envelopes, ...envelopes].map((envelope) => ({ envelope })),
    examples: [],
    request: ({ input }, name, { envelope }) => input({ name, displayName: name }, envelope),
  });
});
