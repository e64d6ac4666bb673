/** The text printed when the mock is ready: URLs, credentials, and commands to try. */
import type { ProfileSummary } from '../../mock/state/profile-summary.ts';
import type { RunningMock } from '../../mock/start-mock.ts';
import { shellWord } from '../../spec/curl.ts';
import { escapeControls } from '../../reports/printable.ts';

/** `certificateFile`: that of `--tls-cert`, which curl must trust. */
export function mockBanner({ target, world, following }: RunningMock, certificateFile?: string): string {
  const { management, host, inference, sandbox } = target.addresses;
  const { admin, apiKey } = target.credentials;
  const curl =
    certificateFile === undefined ? 'curl -sS' : `curl -sS --cacert ${shellWord(certificateFile, new Set())}`;
  return `The mock is ready; press Ctrl-C to stop. Virtual time ${new Date(world.clock.now()).toISOString()}, seed ${world.seed}.
${following === undefined ? '' : `${followedIn(following)}\n`}
  management  ${management}
  host        ${host}
  inference   ${inference}
  sandbox     ${sandbox ?? '(the world file names none)'}
              ${host}/sandbox/WORKSPACE/NAME   the same sandbox by path, if *.localhost does not resolve
  console     ${host}/_mock/   resources, requests, faults and the clock
  reference   ${host}/_mock/docs   the API, with requests to try
  target      ${host}/_mock/target   a target file with every credential

  API key     ${apiKey.value}
  admin JWT   ${admin.value}

Try it:
  ${curl} ${management}/accounts -H 'Authorization: Bearer ${apiKey.value}'

Test it:
  ${curl} ${host}/_mock/target | npx assay test --target -
`;
}

function followedIn({ target, followed, notFollowed }: ProfileSummary): string {
  const whose = target === undefined ? '' : ` of ${escapeControls(target)}`;
  return `Follows ${followed} observations${whose} (${notFollowed} not followed).`;
}
