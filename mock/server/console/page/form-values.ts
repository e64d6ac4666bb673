/** Reads the values of a submitted form; empty fields are absent. */

export type Values = Readonly<Record<string, string>>;

export function valuesOf(event: SubmitEvent): Values {
  event.preventDefault();
  const fields = [...new FormData(event.currentTarget as HTMLFormElement)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** The named fields as numbers. Other values stay strings, so that the mock reports them. */
export function numbersOf(values: Values, names: readonly string[]): Record<string, number | string> {
  const present = names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  return Object.fromEntries(
    present.map(([name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]),
  );
}
