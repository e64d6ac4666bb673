/** What a person reads when the mock has started: where it is, how to get in, what to try next. */
import type { ProfileSummary } from '../../mock/state/profile-summary.ts';
import type { RunningMock } from '../../mock/start-mock.ts';
import { escapeControls } from '../../reports/printable.ts';

export function mockBanner({ target, world, following }: RunningMock): string {
  const { management, host, inference, sandbox } = target.addresses;
  const { admin, apiKey } = target.credentials;
  return `The mock is ready; Ctrl-C stops it. Its clock reads ${new Date(world.clock.now()).toISOString()}, its seed is ${world.seed}.
${following === undefined ? '' : `${followedIn(following)}\n`}
  management  ${management}
  host        ${host}
  inference   ${inference}
  sandbox     ${sandbox ?? 'none is named in the world file'}
              ${host}/sandbox/WORKSPACE/NAME   the same by path, where *.localhost does not resolve
  target      ${host}/_mock/target   every credential, in the form of a target file

  API key     ${apiKey.value}
  admin JWT   ${admin.value}

Try it:
  curl -sS ${management}/accounts -H 'Authorization: Bearer ${apiKey.value}'

Test it:
  curl -sS ${host}/_mock/target | npx assay test --target -
`;
}

function followedIn({ target, followed, notFollowed }: ProfileSummary): string {
  const whose = target === undefined ? '' : ` of ${escapeControls(target)}`;
  return `Follows ${followed} observations${whose} (${notFollowed} not followed).`;
}
