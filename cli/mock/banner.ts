/** The text printed when the mock is ready: URLs, credentials, and commands to try. */
import type { ProfileSummary } from '../../mock/state/profile-summary.ts';
import type { RunningMock } from '../../mock/start-mock.ts';
import { shellWord } from '../../spec/curl.ts';
import { escapeControls } from '../../reports/printable.ts';

export interface BannerAccess {
  /** That of `--tls-cert`, which curl must trust. */
  readonly certificateFile?: string | undefined;
  readonly hasControlToken?: boolean;
}

export function mockBanner({ target, world, following }: RunningMock, access: BannerAccess = {}): string {
  const { management, host = '', inference = '', sandbox } = target.addresses;
  const [managementUrl, hostUrl, inferenceUrl] = [management, host, inference].map(reachable);
  const { admin, apiKey } = target.credentials;
  const curl =
    access.certificateFile === undefined
      ? 'curl -sS'
      : `curl -sS --cacert ${shellWord(access.certificateFile, new Set())}`;
  const token = access.hasControlToken ? ' -H "Authorization: Bearer $ASSAY_CONTROL_TOKEN"' : '';
  return `The mock is ready; press Ctrl-C to stop.
Virtual time ${new Date(world.clock.now()).toISOString()}, seed ${world.seed}.
${following === undefined ? '' : `${followedIn(following)}\n`}
  management  ${managementUrl}
  host        ${hostUrl}
  inference   ${inferenceUrl}
  sandbox     ${sandbox ?? '(the world file names none)'}
              or by path: ${hostUrl}/sandbox/WORKSPACE/NAME
  console     ${hostUrl}/_mock/         resources, requests, faults
  reference   ${hostUrl}/_mock/docs     API, with requests to try
  target      ${hostUrl}/_mock/target   a file with all credentials
${notes(management, access)}
  API key     ${apiKey.value}
  admin JWT   ${admin.value}

Try it:
  ${curl} ${managementUrl}/accounts -H 'Authorization: Bearer ${apiKey.value}'

Test it:
  ${curl} ${hostUrl}/_mock/target${token} | npx --no assay test --target -
`;
}

const ANY_ADDRESS = /^(https?:\/\/)(0\.0\.0\.0|\[::\])(?=[:/]|$)/;

/** `0.0.0.0` and `::` mean every address of the machine, and are none that a client can use on every system. */
const reachable = (address: string): string =>
  address.replace(ANY_ADDRESS, (_, scheme: string, any: string) => scheme + (any === '[::]' ? '[::1]' : '127.0.0.1'));

/** Ends with a line feed unless empty. */
function notes(management: string, { hasControlToken }: BannerAccess): string {
  const lines = [
    ...(ANY_ADDRESS.test(management)
      ? ['From other machines, replace the loopback address by the name or address of this machine.']
      : []),
    ...(hasControlToken
      ? ['/_mock requires the control token (below: $ASSAY_CONTROL_TOKEN); the console asks for it.']
      : []),
  ];
  return lines.map((line) => `\n  ${line}`).join('') + (lines.length === 0 ? '' : '\n');
}

function followedIn({ target, followed, notFollowed }: ProfileSummary): string {
  const whose = target === undefined ? '' : ` of ${escapeControls(target)}`;
  return `Follows ${followed} observations${whose} (${notFollowed} not followed).`;
}
