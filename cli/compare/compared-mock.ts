/** The mock that is compared with a target: with its brand, its rights and its resources, and what it imitates. */
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import { counted } from '../../spec/counted.ts';
import type { WorldFile } from '../../spec/formats/world-file.ts';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import { ProfileError } from '../../mock/profile/profile-error.ts';
import { escapeReferences } from '../../suites/target/escape-references.ts';
import { parseTargetFile } from '../../suites/target/target-file.ts';
import { openTargetFile, TargetUnreachableError } from '../command-line/find-target.ts';
import { InvalidInput } from '../../spec/formats/invalid-input.ts';
import { UsageError } from '../command-line/usage-error.ts';
import { worldOfTarget } from '../world/read-deployment.ts';

export interface ComparedMock extends AsyncDisposable {
  readonly file: TargetFile;
}

/** `say`: called with a sentence about the world of the mock. */
export async function startComparedMock(
  target: TargetFile,
  profile: string | undefined,
  say: (sentence: string) => void,
): Promise<ComparedMock> {
  const { brand, allow } = target;
  const world = await worldLike(target, say);
  const mock = await startMock({ ...(world && { world }), ...(brand && { brand }), ...(profile && { profile }) }).catch(
    (error: unknown) => {
      throw error instanceof ProfileError ? new UsageError(`--profile ${error.message}`) : error;
    },
  );
  return { file: comparedFile(mock, allow), [Symbol.asyncDispose]: () => mock.close() };
}

/** The target file of a mock, with these rights. */
export function comparedFile({ target }: RunningMock, allow: Allow | undefined): TargetFile {
  const text = JSON.stringify(escapeReferences({ ...target, name: 'mock', ...(allow && { allow }) }));
  return parseTargetFile(text, 'the mock', { environment: process.env });
}

/** Without the usage of the metrics: equal costs would mean that one is a copy of the other. Undefined if nothing can be read. */
async function worldLike(target: TargetFile, say: (sentence: string) => void): Promise<WorldFile | undefined> {
  try {
    const { file, resourceCount } = await worldOfTarget(await openTargetFile(target, process.env), {
      hasUsage: false,
      keepsPersonal: true,
    });
    if (resourceCount > 0) {
      say(`The mock has the world that the target shows: ${counted(file.resources.length, 'resource')}.`);
      return file;
    }
    say('The target lists no resources, so the mock has its default world.');
  } catch (error) {
    if (!(error instanceof InvalidInput || error instanceof TargetUnreachableError)) throw error;
    say('The target could not be read, so the mock has its default world.');
  }
  return undefined;
}
