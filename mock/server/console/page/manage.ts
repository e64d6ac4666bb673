/** Calls the management API as the admin of the target. */
import { headerNames } from '../../../../spec/brand.ts';
import type { TargetFile } from '../../../../spec/formats/target-file.ts';
import { management, send } from './send-request.ts';

/**
 * `path` is below the address of the management API, encoded. `home` is the workspace of the call, or `account:ID`, which
 * needs none. `json` is the body. Throws ErrorResponse with the message of the API.
 */
export function manage(
  { brand }: TargetFile,
  method: string,
  path: string,
  home: string,
  json?: string,
): Promise<Response> {
  const headers = home.startsWith('account:') ? {} : { [headerNames(brand).workspace]: home };
  const body = json === undefined ? {} : { body: json, type: 'application/json' };
  return send(new URL(path, management), { method, headers, ...body });
}
