import { expect, test } from 'vitest';
import { sampleReport } from './html/sample-run.ts';
import { replayCommand } from './replay-command.ts';

const { run, target } = sampleReport();
const RULE = 'vpcs.create.answers-resource';

test('a replay has the flags of the run on which its verdict depends', () => {
  const flags = {
    patience: 3,
    maxBody: 1024,
    rate: 5,
    operations: ['createVpc', 'getVpc'],
    chosenOperations: true,
  } as const;
  const given = { run: { ...run, targetFile: 't.yaml', ...flags }, target: { ...target, allow: 'write' as const } };
  expect(replayCommand(given, 'out', RULE)).toBe(
    `npx --no assay replay out ${RULE} --target t.yaml --allow write --patience 3 --max-body 1024 --rate 5 --operation createVpc --operation getVpc`,
  );
});

test('operations that the target file lists are not flags of the replay', () => {
  const given = { run: { ...run, targetFile: 't.yaml', operations: ['createVpc'] }, target };
  expect(replayCommand(given, 'out', RULE)).not.toContain('--operation');
});
