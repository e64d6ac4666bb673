import { expect, test } from 'vitest';
import { redactSecrets } from './redact.ts';

test.each([
  ['a cut object', '{"secret":"abc","y":"z', '{"secret":"[redacted]","y":"z'],
  ['a cut secret', '{"token":"abc', '{"token":"[redacted]"'],
  ['a secret with an escaped quote', '{"password" : "a\\"b", x', '{"password" : "[redacted]", x'],
  ['an object of secrets', '{"secret":{"A":"}","B":"b"},"y":1', '{"secret":"[redacted]","y":1'],
  ['a list of secrets', '{"tokens":["a","]"],"y":1', '{"tokens":"[redacted]","y":1'],
  ['a secret deep inside', '{"a":{"b":[{"apiKey":"k"}]}, x', '{"a":{"b":[{"apiKey":"[redacted]"}]}, x'],
  ['a name with an underscore', '{"api_key":"k"', '{"api_key":"[redacted]"'],
  ['an environment variable', '{"envs":[{"name":"A","value":"b"', '{"envs":[{"name":"A","value":"[redacted]"'],
])('%s in text that is not JSON is redacted', (_, text, redacted) => {
  expect(redactSecrets(text)).toBe(redacted);
});

test.each([
  ['unclosed quotes', `"a":{${'"'.repeat(4000)}`],
  ['backslashes', `"a":{${'"\\'.repeat(2000)}`],
  ['nested objects', '"a":{'.repeat(800)],
  ['empty strings in a list', `"a":[${'""'.repeat(2000)}`],
  ['spaces after a name', `"a"${' '.repeat(4000)}`],
])('%s are read once', { timeout: 2000 }, (_, text) => {
  for (let times = 0; times < 50; times++) expect(redactSecrets(text)).toContain('"a"');
});
