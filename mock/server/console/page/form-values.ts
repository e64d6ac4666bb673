/** Reads what a person typed into a form: fields left empty are absent, and nothing is sent by the browser itself. */

export type Values = Readonly<Record<string, string>>;

export function valuesOf(event: SubmitEvent): Values {
  event.preventDefault();
  const fields = [...new FormData(event.currentTarget as HTMLFormElement)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value.trim()] as const] : [],
  );
  return Object.fromEntries(fields.filter(([, value]) => value !== ''));
}

/** Only the fields named, as numbers; what is no number stays text, for the mock to refuse with its own words. */
export function numbersOf(values: Values, names: readonly string[]): Record<string, number | string> {
  const given = names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  return Object.fromEntries(given.map(([name, value]) => [name, Number.isNaN(Number(value)) ? value : Number(value)]));
}
