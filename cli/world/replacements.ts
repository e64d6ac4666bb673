/** Replaces what may be secret or personal: a value always has the same replacement, which says nothing of the value but its length. */

export type ReplacementKind = keyof typeof forms;

export interface Replacements {
  /** `value`, if it has this form and is no credential of the target; undefined otherwise. */
  readonly kept: (value: string, form: RegExp) => string | undefined;
  readonly of: (kind: ReplacementKind, value: string) => string;
}

const FILLER = ' lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor incididunt';

/** As long as the value, in characters, or longer: a text that is cut must not end with a space. */
function padded(label: string, value: string, filler: string): string {
  const missing = Math.max(0, [...value].length - label.length);
  return (
    label +
    filler
      .repeat(Math.ceil(missing / filler.length))
      .slice(0, missing)
      .replace(/ $/, '.')
  );
}

/** By what is replaced: the replacement of the nth value. */
const forms = {
  text: (n: number, value: string) => padded(`Text ${n}`, value, FILLER),
  word: (n: number, value: string) => padded(`value-${n}`, value, 'x'),
  key: (n: number) => `key-${n}`,
  name: (n: number) => `renamed-${n}`,
  variable: (n: number) => `variable-${n}`,
  secret: (n: number) => `secret-${n}`,
  person: (n: number) => `person-${n}@users.example`,
  address: (n: number, value: string) => `${/^\w+:\/\//.exec(value)?.[0] ?? ''}host-${n}.example`,
  image: (n: number) => `registry.example/image-${n}:latest`,
} as const;

/** `isSecret`: whether a text contains a credential of the target, which it may repeat anywhere. `keepsPersonal`: only secrets and invalid names are replaced. */
export function createReplacements(isSecret: (text: string) => boolean, keepsPersonal = false): Replacements {
  const known = new Map<string, Map<string, string>>();
  return {
    kept: (value, form) => (form.test(value) && !isSecret(value) ? value : undefined),
    of(kind, value) {
      if (keepsPersonal && kind !== 'secret' && kind !== 'name' && !isSecret(value)) return value;
      const own = known.get(kind) ?? new Map<string, string>();
      known.set(kind, own);
      const replacement = own.get(value) ?? forms[kind](own.size + 1, value);
      own.set(value, replacement);
      return replacement;
    },
  };
}

/** What a text of unknown meaning is. */
export function kindOf(text: string): ReplacementKind {
  if (/^https?:\/\//i.test(text)) return 'address';
  return /^\S+@\S+$/.test(text) ? 'person' : 'text';
}
