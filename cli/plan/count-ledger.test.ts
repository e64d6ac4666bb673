import { expect, test } from 'vitest';
import { countLedger } from './count-ledger.ts';

const created = { number: 1, created: 'createVpc', name: 'assay-r1-1' } as const;
const removal = { operation: 'deleteVpc', path: { vpcName: 'assay-r1-1' } } as const;

test('only accepted creations are counted', () => {
  expect(
    countLedger([
      { ...created, removal },
      { number: 1, status: 200 },
    ]),
  ).toEqual({ 'creates createVpc': 1 });
  expect(
    countLedger([
      { ...created, removal },
      { number: 1, status: 403 },
    ]),
  ).toEqual({});
});

test('creations without a removal, and changes, are counted separately', () => {
  expect(countLedger([created, { number: 1, status: 200 }, { number: 2, changed: 'updateAgent', path: {} }])).toEqual({
    'keeps createVpc': 1,
    'changes updateAgent': 1,
  });
});
