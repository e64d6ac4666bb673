/** naming.name.*: accepted names, and that a name identifies one resource permanently. */
import * as fc from 'fast-check';
import { requirement } from '../../spec/requirements/index.ts';
import { conforms, observes } from '../engine/conforms.ts';
import { judges, judgesInOrder, refuses } from '../judge/judgement.ts';
import { creates, isAboutSomethingElse, isSuccess, sentMetadata } from '../kit/resources/seen-resource.ts';
import { isFields } from '../json/fields.ts';
import { isInvalid } from '../expect/status.ts';
import { isSuccessful } from '../target/eventually.ts';
import {
  nameEnding,
  nonStringOrNull,
  otherAscii,
  otherCharacter,
  otherCharacters,
  word,
} from '../generators/resource-name.ts';
import { kindOfValue } from '../generators/wrong-type.ts';
import { agentToChange } from '../kit/provision/agents.ts';
import { createOperations, nameOfLength, plainDisplayName } from '../kit/provision/creates.ts';
import type { CreateOperation } from '../kit/provision/creates.ts';
import { sharedValue } from '../engine/shared-values.ts';
import { eachAccepted } from '../kit/provision/each-accepted.ts';
import type { Metadata } from '../kit/provision/each-accepted.ts';
import { eachRefused } from '../kit/provision/each-refused.ts';
import { createAndRemove } from '../kit/provision/removal.ts';
import { callerVariants, defaultVariant } from '../kit/provision/caller-variants.ts';
import type { CallerVariant } from '../kit/provision/caller-variants.ts';
import { acceptedWrites, agentWrites, isRepeatable, performWrite } from '../kit/provision/writes.ts';
import { documentedFirst } from '../kit/resources/returned-resource.ts';
import { metadataIn } from '../json/metadata-in.ts';
import type { Exchange } from '../target/client.ts';
import { LONG_DISPLAY_NAMES, NAME_ENDINGS } from '../../spec/observations/observation-points.ts';
import type { Mismatch } from '../target/violation.ts';
import { named, validEndings, validMetadata } from './valid-metadata.ts';
import { createConcurrently, createTwiceMore, judgeOverlappingCreates, secondStatus } from './duplicates.ts';
import { similarNameMismatches } from './similar-names.ts';
import { notCreated, notRenamed, otherUnchanged, renamed, stillThere } from './rename.ts';

const MAX_LENGTH = requirement('naming.name.at-most-49').values.maxLength;

/** The form that every server accepts. */
const VALID_NAME = /^[a-z](-?[a-z0-9])*$/;

/** If the response has metadata, it contains the name that was sent. */
function otherName({ name }: Metadata, exchange: Exchange): Mismatch[] {
  const returned = metadataIn(exchange.response.json)['name'];
  return returned === undefined || returned === name
    ? []
    : [{ expected: `name ${JSON.stringify(name)}`, actual: `name ${JSON.stringify(returned)}`, exchange }];
}

judges('naming.name.valid-accepted', creates, (seen) => {
  const { name } = sentMetadata(seen);
  if (!isSuccess(seen) || typeof name !== 'string' || !VALID_NAME.test(name)) return undefined;
  return metadataIn(seen.json)['name'] === undefined ? undefined : otherName({ name }, seen.exchange);
});

conforms('naming.name.valid-accepted', async (run) => {
  await eachAccepted(run, {
    candidates: createOperations(run),
    inputs: { ending: nameEnding },
    examples: validEndings.map((ending) => ({ ending })),
    metadata: ({ ending }) => ({ name: named(run, ending), displayName: plainDisplayName(run) }),
    judged: 'name',
    together: (index) => validMetadata(run, index),
    differences: otherName,
  });
  const creating = new Map(createOperations(run).map((create) => [create.id, create]));
  await run.forEach([...creating.keys()], (id) => similarNameMismatches(run, creating.get(id)!));
});

refuses('naming.name.at-most-49', creates, {
  isFlawed: (seen) => {
    const { name } = sentMetadata(seen);
    return typeof name === 'string' && [...name].length > MAX_LENGTH;
  },
  status: '4xx',
  unless: isAboutSomethingElse,
});

conforms('naming.name.at-most-49', async (run) => {
  const { tooLong } = run.rule.values;
  await eachAccepted(run, {
    candidates: createOperations(run),
    inputs: { below: fc.integer({ min: 0, max: 12 }) },
    boundaries: [{ below: 1 }],
    examples: [{ below: 0 }],
    metadata: ({ below }) => ({ name: nameOfLength(run, MAX_LENGTH - below), displayName: plainDisplayName(run) }),
    judged: 'name',
    differences: otherName,
  });
  await eachRefused(run, {
    candidates: createOperations(run),
    invalidPart: { length: fc.integer({ min: tooLong, max: 300 }) },
    boundaries: [{ length: tooLong }, { length: tooLong + 1 }],
    examples: [63, 64, 100, 128, 256, 257, 258].map((length) => ({ length })),
    classOf: ({ length }) => (length < 256 ? 'slightly too long' : 'much too long'),
    request: ({ input }, name, { length }) =>
      input({ name: `${name}-`.padEnd(length, 'long-name'), displayName: 'Too long' }),
  });
});

refuses('naming.name.other-characters-rejected', creates, {
  isFlawed: (seen) => {
    const { name } = sentMetadata(seen);
    return typeof name === 'string' && /[^a-z0-9-]/.test(name);
  },
  status: '4xx',
  unless: isAboutSomethingElse,
});

conforms('naming.name.other-characters-rejected', async (run) => {
  const within = Object.entries(otherCharacters).flatMap(([mistake, characters]) =>
    characters.map((character) => ({ mistake, before: 'a', character, after: 'b' })),
  );
  const ending = [' ', '\n'].map((character) => ({
    mistake: `${JSON.stringify(character)} at the end`,
    before: 'a',
    character,
    after: '',
  }));
  await eachRefused(run, {
    candidates: createOperations(run),
    invalidPart: {
      mistake: fc.constant<string>('any'),
      before: word(0, 8),
      character: otherCharacter,
      after: word(0, 8),
    },
    examples: [...within, ...ending],
    classOf: ({ mistake }) => mistake,
    furtherExamples: otherAscii.map((character) => ({ mistake: 'other ASCII', before: 'a', character, after: 'b' })),
    request: ({ input }, name, { before, character, after }) =>
      input({ name: `${name}-${before}${character}${after}`, displayName: 'Odd name' }),
  });
});

/** Servers convert some of them to a string, and take others as omitted. */
const invalidNames: readonly unknown[] = [null, 1, 1.5, true, false, ['a'], {}, { name: 'a' }];

refuses('naming.name.required', creates, {
  isFlawed: (seen) => {
    const { name } = sentMetadata(seen);
    return isFields(seen.sent) && (typeof name !== 'string' || name === '');
  },
  status: '4xx',
  unless: isAboutSomethingElse,
});

conforms('naming.name.required', async (run) => {
  await eachRefused(run, {
    candidates: createOperations(run),
    invalidPart: { value: nonStringOrNull },
    boundaries: [{ value: undefined }, { value: '' }],
    examples: invalidNames.map((value) => ({ value })),
    classOf: ({ value }) => kindOfValue(value),
    request: ({ input }, name, { value }) => input({ name: value, displayName: name }),
  });
});

judges('naming.name.immutable', 'updateAgent', (seen) => {
  const { agentName = '' } = seen.path;
  const { name } = sentMetadata(seen);
  if (typeof name !== 'string' || name === agentName) return undefined;
  if (!isSuccess(seen)) return isInvalid(seen.exchange) ? [] : undefined;
  const returned = metadataIn(seen.json)['name'];
  return returned === undefined ? undefined : renamed(seen.exchange, agentName, returned);
});

conforms('naming.name.immutable', async (run) => {
  const agent = await agentToChange(run);
  run.need((await stillThere(run, agent)).length === 0, 'an agent whose update is accepted');
  const [spare] = await agentWrites(run, 'mk3');
  const similar = [`${agent}-2`, `${agent}2`, agent.slice(0, -1), `${agent} `];
  // If the target does rename it, the new name also has the run's prefix.
  const names = similar.filter((name) => name.startsWith(run.prefix));
  const sent: string[] = [];
  const rename = (name: string, variant?: CallerVariant) => {
    sent.push(name);
    return notRenamed(run, agent, name, variant);
  };
  if (spare?.agent?.startsWith(run.prefix) === true) {
    const other = { ...spare, agent: spare.agent };
    await run.forEach(['the name of another agent'], () => otherUnchanged(run, agent, other));
  }
  const renames = [
    ...names.map((name) => ({ name, variant: defaultVariant })),
    ...callerVariants(run)
      .slice(1)
      .map((variant) => ({ name: run.newName(), variant })),
  ];
  await run.forEach(renames, ({ name, variant }) => rename(name, variant));
  await run.forAll({ ending: nameEnding }, ({ ending }) => rename(named(run, ending)), {
    runs: Math.min(run.runs, 10),
  });
  run.check(await stillThere(run, agent));
  run.check(await notCreated(run, sent.slice(0, 4)));
});

judgesInOrder('naming.name.unique-in-workspace', creates, judgeOverlappingCreates);

conforms('naming.name.unique-in-workspace', async (run) => {
  const all = documentedFirst(await acceptedWrites(run, createOperations(run)));
  const byId = new Map(all.map((create) => [create.id, create]));
  const reported = await reportedOfRun.get(run, async () => ({ count: 0 }));
  // The first ones are of different operations.
  const items = [0, 1].flatMap((pass) =>
    all.map(({ id }, index) => ({ operation: id, isAtOnce: (index + pass) % 2 === 1 })),
  );
  const findTwo = async (create: CreateOperation, isAtOnce: boolean): Promise<Mismatch[]> => {
    const { mismatches, isReported } = await (isAtOnce ? createConcurrently : createTwiceMore)(run, create);
    if (isReported) reported.count += 1;
    return mismatches;
  };
  await run.forEach(items, ({ operation, isAtOnce }) => findTwo(byId.get(operation)!, isAtOnce));
  // The responses of this round may show nothing.
  for (const create of all) if (reported.count === 0) run.check(await findTwo(create, false));
  run.need(reported.count, 'a second create of a name that is refused, or whose response has createdAt');
});

/** Second creates whose responses show whether there is a second resource. */
const reportedOfRun = sharedValue<{ count: number }>();

observes('naming.name.hyphens-digits-reserved', async (run) => {
  const all = await acceptedWrites(run, createOperations(run));
  const byId = new Map(all.map((create) => [create.id, create]));
  const items = NAME_ENDINGS.flatMap((ending) => all.map(({ id }) => ({ operation: id, ending })));
  await run.forEach(items, async ({ operation, ending }) => {
    const create = byId.get(operation)!;
    // Only if the target can remove resources; otherwise each of these would remain.
    run.need(isRepeatable(run, create), `a target that removes what ${create.id} creates`);
    const input = create.input({ name: run.newName() + ending, displayName: 'Odd name' });
    const { response } = await createAndRemove(run, create.id, input);
    run.observe(`a name that ends in ${ending} at ${create.id}` as const, { status: response.status });
    return [];
  });
});

observes('naming.name.duplicate-status', async (run) => {
  const all = await acceptedWrites(run, createOperations(run));
  await run.forEach(
    all.map(({ id }) => id),
    async (id) => {
      const create = all.find((each) => each.id === id)!;
      run.observe(`a second ${create.id} of one name`, { status: await secondStatus(run, create) });
      return [];
    },
  );
  const [counted] = [
    ...(await agentWrites(run)),
    ...createOperations(run).filter((create) => isRepeatable(run, create)),
  ];
  const write = run.need(counted, 'a displayName that can be changed, or removed');
  await run.forEach(LONG_DISPLAY_NAMES, async (what) => {
    const metadata = { name: run.newName(), displayName: longTexts[what] };
    const { exchange } = await performWrite(run, write, metadata, { isRead: false });
    run.observe(`a displayName of ${what} at ${write.id}`, isSuccessful(exchange) ? 'accepted' : 'refused');
    return [];
  });
});

const maxDisplayName = requirement('naming.display-name.up-to-63-accepted').values.maxLength;
const tooLongDisplayName = requirement('naming.display-name.over-63-rejected').values.tooLong;

/** Strings within the maximum by one way of counting characters and beyond it by another. */
const longTexts: Readonly<Record<(typeof LONG_DISPLAY_NAMES)[number], string>> = {
  '63 two-byte letters': 'é'.repeat(maxDisplayName),
  '63 characters of two UTF-16 units': '\u{1f680}'.repeat(maxDisplayName),
  '32 characters of two UTF-16 units': '\u{1f680}'.repeat(tooLongDisplayName / 2),
  '64 two-byte letters': 'é'.repeat(tooLongDisplayName),
};
