/** `assay test --plan`: prints what a run would send to the target. Sends nothing. */
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { RunSettings } from '../../suites/engine/open-run.ts';
import { readTarget } from '../../suites/target/open-target.ts';
import type { Environment } from '../../suites/target/environment.ts';
import { withUsageErrors } from '../command-line/find-target.ts';
import { renderPlan } from './render-plan.ts';

/** Has three parts like a JWT. No request is sent to get it. */
const PENDING_TOKEN = 'a.b.c';

/** Returns the text of the plan. Throws UsageError if an environment variable that the file names is not set. */
export async function planRun(
  file: TargetFile,
  environment: Environment,
  settings: Omit<RunSettings, 'target'>,
  isDetailed: boolean,
): Promise<string> {
  const target = await withUsageErrors(() => readTarget(file, environment, async () => ({ value: PENDING_TOKEN })));
  return renderPlan({ target, tokenUrls: tokenUrlsOf(file), settings, isDetailed });
}

/** The token URLs that are requested before the run. */
function tokenUrlsOf({ credentials: { scoped = {}, ...named } = {} }: TargetFile): string[] {
  return [...Object.values(named), ...Object.values(scoped)].flatMap((source) =>
    'clientCredentials' in source ? [source.clientCredentials.tokenUrl] : [],
  );
}
