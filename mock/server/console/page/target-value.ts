/** The value of a credential: a mock's target has values, never names of variables. */
import type { TargetFile } from '../../../../spec/formats/target-file.ts';

export function valueOf(credential: object | undefined): string | undefined {
  return credential !== undefined && 'value' in credential ? String(credential.value) : undefined;
}

/** Present in every mock's target. */
export function adminToken({ credentials }: TargetFile): string {
  return valueOf(credentials?.admin) ?? '';
}
