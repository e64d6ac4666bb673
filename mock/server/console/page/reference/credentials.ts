/** The credentials of the mock's target, with the names of their shell variables. */
import { shellWord } from '../../../../../spec/curl.ts';
import type { TargetFile } from '../../../../../spec/formats/target-file.ts';
import { valueOf } from '../target-value.ts';

export interface NamedCredential {
  /** As in a target file; a scope for one of `scoped`. */
  readonly name: string;
  readonly value: string;
  /** With $. */
  readonly variable: string;
  /** Where it is in the target file. */
  readonly keys: readonly string[];
}

/** `apiKey` is `$ASSAY_API_KEY`, `admin` is `$ASSAY_ADMIN_TOKEN`: `assay mock -- COMMAND` sets these two. */
export function credentialsOf({ credentials = {} }: TargetFile): NamedCredential[] {
  const { scoped = {}, ...others } = credentials;
  const placed = [
    ...Object.entries(others).map(([name, credential]) => ({ name, credential, keys: [name] })),
    ...Object.entries(scoped).map(([name, credential]) => ({ name, credential, keys: ['scoped', name] })),
  ];
  return placed.flatMap(({ name, credential, keys }) => {
    const value = valueOf(credential);
    return value === undefined ? [] : [{ name, value, variable: variableOf(name), keys }];
  });
}

/** The command that sets the variable, for any POSIX shell. `target`: the URL of the mock's target file. */
export function exportCommand({ variable, keys }: NamedCredential, target: URL, needsControlToken: boolean): string {
  const access = needsControlToken ? ' -H "Authorization: Bearer $ASSAY_CONTROL_TOKEN"' : '';
  const member = keys.map((key) => (/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)).join('');
  const script = shellWord(`JSON.parse(fs.readFileSync(0)).credentials${member}.value`, new Set());
  return `export ${variable.slice(1)}="$(curl -sS${access} ${shellWord(target.href, new Set())} | node -p ${script})"`;
}

function variableOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, '_$&').replaceAll(/\W+/g, '_').toUpperCase();
  return `$ASSAY_${words}${words.endsWith('_KEY') ? '' : '_TOKEN'}`;
}
