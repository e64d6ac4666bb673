/** `assay test --plan`: rehearses a run against a mock and prints what would be sent to the target. */
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startMock } from '../../mock/start-mock.ts';
import type { RunningMock } from '../../mock/start-mock.ts';
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { prefixOf } from '../../suites/engine/run.ts';
import { readAccount } from '../../suites/target/account.ts';
import type { LedgerLine } from '../../suites/target/ledger-lines.ts';
import { readTarget } from '../../suites/target/open-target.ts';
import type { Environment } from '../../suites/target/open-target.ts';
import type { Target } from '../../suites/target/target.ts';
import { createTransport } from '../../suites/target/transport.ts';
import { cleanUp } from '../run/clean-up.ts';
import { countRequests } from './count-requests.ts';
import type { Counted } from './count-requests.ts';
import { renderPlan } from './render-plan.ts';
import { rehearsalTarget } from './rehearsal-target.ts';
import { withUsageErrors } from '../command-line/find-target.ts';
import { runCases } from '../run/run-cases.ts';

/** Has three parts like a JWT. No request is sent to get it. */
const TOKEN_TO_COME = 'a.b.c';

/** Returns the text of the plan. Sends nothing to the target. Throws UsageError if an environment variable that the file names is not set. */
export async function rehearseRun(
  file: TargetFile,
  environment: Environment,
  settings: Omit<RunSettings, 'target'>,
): Promise<string> {
  const planned = await withUsageErrors(() => readTarget(file, environment, async () => ({ value: TOKEN_TO_COME })));
  process.stderr.write('Rehearsing the run against a mock; nothing is sent to the target.\n');
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'assay-plan-'));
  const ledgerFile = path.join(folder.path, 'ledger.ndjson');
  await using mock = await startMock({ brand: planned.brand });
  const { target, counted } = await openRehearsal(planned, mock);
  await runCases({ ...settings, target, ledgerFile }, { record: counted.record });
  const ledger = readLedgerLines(ledgerFile);
  await cleanUp(target, ledgerFile, { record: counted.recordUndoing });
  return renderPlan({
    planned: planned,
    tokens: tokenUrls(file),
    requests: counted.requests(),
    ledger,
    prefix: prefixOf(settings.runId),
    settings,
  });
}

/** The requests of opening a target: its account is looked up. */
async function openRehearsal(planned: Target, mock: RunningMock): Promise<{ target: Target; counted: Counted }> {
  const target = await rehearsalTarget(planned, mock);
  const counted = countRequests(target);
  const transport = createTransport({ rate: 0 });
  const send: typeof transport.send = (wire) => {
    counted.wire(wire);
    return transport.send(wire);
  };
  try {
    const account = await readAccount(target, { ...transport, send });
    return { target: account === undefined ? target : { ...target, account }, counted };
  } finally {
    await transport.close();
  }
}

const readLedgerLines = (file: string): LedgerLine[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as LedgerLine);

/** The token URLs that are requested before the run. */
function tokenUrls({ credentials: { scoped = {}, ...named } = {} }: TargetFile): string[] {
  return [...Object.values(named), ...Object.values(scoped)].flatMap((source) =>
    'clientCredentials' in source ? [source.clientCredentials.tokenUrl] : [],
  );
}
