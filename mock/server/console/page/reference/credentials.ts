/** The credentials of the mock's target, with the names of their shell variables. */
import type { TargetFile } from '../../../../../spec/formats/target-file.ts';
import { valueOf } from '../target-value.ts';

export interface NamedCredential {
  /** As in a target file; a scope for one of `scoped`. */
  readonly name: string;
  readonly value: string;
  /** With $. */
  readonly variable: string;
}

/** `apiKey` is `$ASSAY_API_KEY`, `admin` is `$ASSAY_ADMIN_TOKEN`: `assay mock -- COMMAND` sets these two. */
export function credentialsOf({ credentials = {} }: TargetFile): NamedCredential[] {
  const { scoped = {}, ...others } = credentials;
  return [...Object.entries(others), ...Object.entries(scoped)].flatMap(([name, credential]) => {
    const value = valueOf(credential);
    return value === undefined ? [] : [{ name, value, variable: variableOf(name) }];
  });
}

function variableOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, '_$&').replaceAll(/\W+/g, '_').toUpperCase();
  return `$ASSAY_${words}${words.endsWith('_KEY') ? '' : '_TOKEN'}`;
}
