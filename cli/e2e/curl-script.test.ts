/** The script of a counterexample is complete: run against a new target with the same deviation, it reproduces the violation. */
import { expect, test } from 'vitest';
import { startMock } from '../../mock/start-mock.ts';
import { curlLines, readCurl } from '../../reports/html/page/curl-request.ts';
import { runOnTarget } from './testing/run-on-target.ts';

const RULE = 'agents.update.any-sequence-follows-the-model';

interface Failed {
  readonly curl: string;
  readonly origin: string;
}

async function failedBy(fault: string): Promise<Failed> {
  await using mock = await startMock({ deviate: [fault] });
  const [outcome] = await runOnTarget({ ...mock.target, allow: 'write' }, { selected: [RULE], patienceSeconds: 1 });
  const { verdict, counterexample } = outcome!.result;
  expect(verdict).toBe('failed');
  return { curl: counterexample!.curl, origin: new URL(mock.addresses.management).origin };
}

/** The display name in the last response. */
async function shownAfter({ curl, origin }: Failed, deviate: readonly string[]): Promise<unknown> {
  await using mock = await startMock({ deviate });
  const script = curl
    .replaceAll(origin, new URL(mock.addresses.management).origin)
    .replaceAll('"$SVC_ADMIN_TOKEN"', mock.target.credentials.admin.value);
  let shown: unknown;
  for (const { url, head, body = null } of curlLines(script).map(readCurl)) {
    const [method, , headers] = JSON.parse(head) as [string, string, [string, string[]][]];
    const answer = await fetch(url, { method, body, headers: headers.map(([name, values]) => [name, values.join()]) });
    const { metadata } = (await answer.json()) as { metadata?: { displayName?: unknown } };
    shown = metadata?.displayName;
  }
  return shown;
}

test('an update of an unknown agent that changes the last updated one is reproduced', async () => {
  const fault = `${RULE}/sets-the-display-name-of-the-last-updated-agent-to-that-of-an-unknown-one`;
  const failed = await failedBy(fault);
  const [faulty, sound] = [await shownAfter(failed, [fault]), await shownAfter(failed, [])];
  expect(sound).toEqual(expect.stringContaining('assay-'));
  expect(faulty).not.toBe(sound);
});
