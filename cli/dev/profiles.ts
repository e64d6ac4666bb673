/** `npm run profiles`: with the observations of each stranger the mock still keeps every rule of the interface. Takes minutes. */
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startStranger } from '../../fixtures/strangers/stranger.ts';
import { startMock } from '../../mock/start-mock.ts';
import type { CaseOutcome } from '../../spec/case-outcome.ts';
import { requirements } from '../../spec/requirements/index.ts';
import type { RequirementId } from '../../spec/requirements/index.ts';
import type { TargetFile } from '../../spec/target-file.ts';
import type { RuleResult } from '../../spec/verdicts.ts';
import { openTarget } from '../../suites/target/open-target.ts';
import { createTransport } from '../../suites/target/transport.ts';
import { tryCases } from '../try-cases.ts';

/** Rules that cannot be tried on a mock that answers so. */
const notTried: Record<string, readonly string[]> = {
  strict: ['oauth.code.good-once'], // the authorize page wants a person
  lenient: [],
};

const idsOf = (wanted: 'must' | 'observe'): RequirementId[] =>
  requirements.filter(({ level }) => level === wanted).map(({ id }) => id);

async function outcomes(file: TargetFile, selected: readonly RequirementId[]): Promise<CaseOutcome[]> {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-profiles-'));
  const transport = createTransport({ rate: 0 });
  const target = await openTarget({ ...file, allow: 'destroy', rate: 0 }, {}, transport);
  await transport.close();
  const ledgerFile = path.join(folder.path, 'ledger');
  return await tryCases(
    { target, seed: 11, runs: 3, patienceSeconds: 12, runId: 'profiles', ledgerFile, selected },
    {},
  );
}

async function wrongWith(character: 'strict' | 'lenient'): Promise<RuleResult[]> {
  await using stranger = await startStranger({ character, deploymentMs: 1000 });
  const profile = (await outcomes(stranger.target, idsOf('observe'))).flatMap(({ observations }) => observations);
  await using mock = await startMock({ profile });
  const results = (await outcomes(mock.target, idsOf('must'))).map(({ result }) => result);
  const expected = (id: string) => (notTried[character]?.includes(id) === true ? 'not-tried' : 'passed');
  const wrong = results.filter(({ id, verdict }) => verdict !== expected(id));
  process.stdout.write(`${character}: ${results.length - wrong.length} of ${results.length} rules are as expected.\n`);
  return wrong;
}

for (const character of ['strict', 'lenient'] as const)
  for (const { id, verdict, reason } of await wrongWith(character)) {
    process.stdout.write(`${verdict} ${id}: ${reason}\n`);
    process.exitCode = 1;
  }
