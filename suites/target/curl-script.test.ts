import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { curlScript } from './curl-script.ts';
import type { ScriptStep } from './curl-script.ts';
import type { SentRequest } from './exchange.ts';

const get = (path: string): SentRequest => ({
  method: 'GET',
  url: `http://a/${path}`,
  headers: { Authorization: 'Bearer $SVC_ADMIN_TOKEN' },
});

/** The output of the script with a shell function as curl. Reading and writing a pipe wait for each other. */
function printed(steps: readonly ScriptStep[], curl: string): string[] {
  const script = curlScript(steps, new Set(['$SVC_ADMIN_TOKEN']));
  const pipes = 'pipes=$(mktemp -d); mkfifo "$pipes"/{turn,turn-1,turn-2,heard-1,heard-2}';
  const whole = `${pipes}; sleep() { :; }\ncurl() { ${curl}; }\n${script}\nrm -r "$pipes"`;
  const options = { env: { ...process.env, SVC_ADMIN_TOKEN: 'it' }, encoding: 'utf8', timeout: 20_000 } as const;
  return execFileSync('bash', ['-c', whole], options).replaceAll('http://a/', '').trim().split('\n');
}

test('concurrent requests run at the same time and are awaited', () => {
  // `slow` ends only after `quick` has started: in sequence they would never end.
  const curl = `case "$3" in *slow) read -r _ <"$pipes/turn" ;; *quick) echo >"$pipes/turn" ;; esac; echo "$3 $5"`;
  const lines = printed([[get('first')], [], [get('slow'), get('quick')], [get('last')]], curl);
  expect(lines).toEqual([
    'first Authorization: Bearer it',
    expect.stringMatching(/slow|quick/) as string,
    expect.stringMatching(/slow|quick/) as string,
    'last Authorization: Bearer it',
  ]);
});

test('a stream stays open during the next steps, until it is closed or the script ends', () => {
  // A stream prints nothing before the write, which ends when the stream has received it, and never ends on its own.
  // Each has pipes of its own: the first may still hold its own open for a while after it was closed.
  const curl = `case "$3" in
    *watch*) read -r line <"$pipes/turn-\${3##*-}"; echo "$3 heard $line"; echo >"$pipes/heard-\${3##*-}"; exec sleep 600 ;;
    *) echo "$3"; echo it >"$pipes/turn-\${3##*-}"; read -r _ <"$pipes/heard-\${3##*-}" ;;
  esac`;
  const [first, second] = [get('watch-1'), get('watch-2')];
  const steps = [{ opens: first }, [get('write-1')], { closes: first }, { opens: second }, [get('write-2')]];
  const lines = printed(steps, curl);
  expect(lines.slice(0, 2).sort()).toEqual(['watch-1 heard it', 'write-1']);
  expect(lines.slice(2).sort()).toEqual(['watch-2 heard it', 'write-2']);
});
