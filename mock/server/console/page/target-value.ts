/** The value of a credential: a mock's target has values, never names of variables. */

export function valueOf(credential: object | undefined): string | undefined {
  return credential !== undefined && 'value' in credential ? String(credential.value) : undefined;
}
