/** A credential of a mock's target, which has all of them as values and names no variable. */
import type { TargetFile } from '../../../../spec/formats/target-file.ts';

export function valueOf(credential: object | undefined): string | undefined {
  return credential !== undefined && 'value' in credential ? String(credential.value) : undefined;
}

/** Every mock's target has one. */
export function adminToken({ credentials }: TargetFile): string {
  return valueOf(credentials?.admin) ?? '';
}
