/** The mock that is compared with a target: with its brand and its rights, and what it imitates. */
import type { TargetFile } from '../../spec/formats/target-file.ts';
import type { Allow } from '../../spec/formats/target-values.ts';
import { startMock, type RunningMock } from '../../mock/start-mock.ts';
import { ProfileError } from '../../mock/profile/profile-error.ts';
import { escapeReferences } from '../../suites/target/escape-references.ts';
import { parseTargetFile } from '../../suites/target/target-file.ts';
import { UsageError } from '../command-line/usage-error.ts';

export interface ComparedMock extends AsyncDisposable {
  readonly file: TargetFile;
}

export async function startComparedMock(
  { brand, allow }: TargetFile,
  profile: string | undefined,
): Promise<ComparedMock> {
  const mock = await startMock({ ...(brand && { brand }), ...(profile && { profile }) }).catch((error: unknown) => {
    throw error instanceof ProfileError ? new UsageError(`--profile ${error.message}`) : error;
  });
  return { file: comparedFile(mock, allow), [Symbol.asyncDispose]: () => mock.close() };
}

/** The target file of a mock, with these rights. */
export function comparedFile({ target }: RunningMock, allow: Allow | undefined): TargetFile {
  const text = JSON.stringify(escapeReferences({ ...target, name: 'mock', ...(allow && { allow }) }));
  return parseTargetFile(text, 'the mock', { environment: process.env });
}
