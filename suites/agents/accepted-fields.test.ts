import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { agentParts } from '../kit/generators/agent-body.ts';
import type { Fragment } from '../kit/generators/agent-body.ts';
import { acceptedGroups, combine, eachSize } from './accepted-fields.ts';

const repository = { repository: { type: 'github' } };
const image = { runtime: { image: 'an image' } };

/** What is accepted by a target that refuses each update that contains all of these. */
async function refusing(parts: readonly Fragment[], ...refused: readonly string[]) {
  const sent: string[] = [];
  const groups = await acceptedGroups(parts, async (spec) => {
    const text = JSON.stringify(spec);
    sent.push(text);
    return !refused.every((member) => text.includes(member));
  });
  return { groups, sent };
}

test('fields that a target accepts only one by one are not combined', async () => {
  const { groups } = await refusing([repository, image], 'repository', 'image');
  expect(groups).toEqual([[repository], [image]]);
  const accepted = { generation: 'mk2' as const, mayBePublic: false, fragments: [repository, image], groups };
  expect(combine(accepted)).toEqual([]);
  fc.assert(
    fc.property(agentParts(accepted), ({ spec }) => {
      expect('repository' in spec && JSON.stringify(spec).includes('image')).toBe(false);
    }),
  );
});

test('fields that a target accepts together are combined', async () => {
  const { groups, sent } = await refusing([repository, image], 'nothing');
  expect(sent).toHaveLength(1);
  expect(combine({ generation: 'mk2', mayBePublic: false, fragments: [], groups })).toEqual([
    { ...repository, ...image },
  ]);
});

test('a refused size does not separate the other fields', async () => {
  const { groups } = await refusing([repository, image, ...eachSize], '"maxScale":1}');
  expect(groups).toContainEqual([repository, image]);
  expect(groups.flat()).toHaveLength(2 + eachSize.length - 1);
});
