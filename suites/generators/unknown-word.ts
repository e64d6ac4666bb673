/** Words that are not in an enumeration: similar ones and others. Never the empty string, which may count as omitted. */
import * as fc from 'fast-check';

const ofObjects = 'constructor __proto__ toString hasOwnProperty null undefined true 0 *'.split(' ');

export const nearGenerations: readonly string[] = [
  ...'mk0 mk1 mk4 mk9 mk mk20 mk22 mk23 mk33 mk-2 mk_3 mk02 mk2.0 mk3.1 amk2 xmk3 mk2x mk3a 2 3 m2 m3 km2'.split(' '),
  ...'MK2 MK3 Mk2 Mk3 mK2 mK3 mk2,mk3 mk2mk3 [mk2] latest default auto any container microvm'.split(' '),
  ...ofObjects,
];

export const nearTriggerTypes: readonly string[] = [
  ...'HTTP Http CRON Cron HTTP-ASYNC Http-Async http-Async https httpx xhttp htt http2 http-sync http-asyn'.split(' '),
  ...'http-asyncs http_async httpasync httpAsync async http/async http,cron cronjob crons cro xcron schedule'.split(
    ' ',
  ),
  ...'timer event events webhook websocket queue manual grpc'.split(' '),
  ...ofObjects,
];

/** Words of letters, digits and hyphens that are not in the list. */
export function unknownWord(listed: readonly string[]): fc.Arbitrary<string> {
  const cased = fc.constantFrom(...listed).chain((word) => fc.mixedCase(fc.constant(word)));
  const near = fc
    .tuple(fc.constantFrom(...listed), fc.stringMatching(/^[a-z0-9-]{1,3}$/))
    .chain(([word, more]) => fc.constantFrom(word + more, more + word));
  return fc.oneof(cased, near, fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/)).filter((word) => !listed.includes(word));
}
