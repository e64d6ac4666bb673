/** The options of startMock. */
import type { WorldName } from '../spec/formats/world-names.ts';
import type { WorldExtension, WorldFile } from '../spec/formats/world-file.ts';
import type { Observation } from '../spec/verdicts.ts';
import type { ObservationsFile } from './profile/read-profile.ts';
import type { TlsFiles } from './http/tls.ts';
import type { ReplayedTraffic } from './pipeline/replay.ts';
import type { RequestObserver } from './server/served-request.ts';
import type { SandboxUrls } from './state/addresses.ts';
import type { ClockMode } from './time/clock.ts';
import type { Time } from './time/instant.ts';
import type { Latency } from './wrap/latency.ts';

export interface MockOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  readonly host?: string;
  /** The token that `/_mock` requires. Must be set if the host is not a loopback address. */
  readonly controlToken?: string;
  /** Origins whose pages may call `/_mock`, such as http://localhost:5173. */
  readonly controlOrigins?: readonly string[];
  readonly seed?: number;
  /** Start of the virtual clock: milliseconds since 1970, an RFC 3339 timestamp, or a Date. Default: the current time. */
  readonly now?: Time;
  readonly clock?: ClockMode;
  /** The brand in header names such as `Svc-Version`. */
  readonly brand?: string;
  /** The content of a world file, or the name of a world. Default: the default world; `extends` changes some keys of a world. */
  readonly world?: WorldFile | WorldExtension | WorldName;
  /** Keeps the state in this file. If it exists, world, seed and now must be omitted: it has its own. */
  readonly state?: string;
  /** A server that gets the requests to unknown paths, such as https://staging.example. */
  readonly upstream?: string;
  /** The upstream gets every request; the mock answers those to which it responds that it has no such operation (404, 405, 501). */
  readonly prefer?: 'upstream';
  /** Serves only documented operations; inferred ones are then unknown paths. */
  readonly onlyDocumented?: boolean;
  /**
   * The address under which clients reach the mock, such as that of a proxy or a mapped port: all addresses in responses and in the
   * target begin with it. Default: the one it listens on; OAuth and MCP metadata then name the address of the request.
   */
  readonly publicUrl?: string;
  /** Which address of a sandbox appears in metadata.url; both are always served. */
  readonly sandboxUrls?: SandboxUrls;
  readonly latency?: Latency;
  /** Serves HTTPS: a certificate (with its chain) and its private key, unencrypted, as PEM. */
  readonly tls?: TlsFiles;
  /** Called when the response of a request was sent; not for calls of `/_mock`. */
  readonly onRequest?: RequestObserver;
  /** Behaves like an observed deployment where the API leaves a choice: the path of an observations.json, or its content. */
  readonly profile?: string | readonly Observation[] | ObservationsFile;
  /** Recorded traffic, whose responses answer the requests that were recorded; the mock answers the others. */
  readonly replay?: ReplayedTraffic;
  /** The id of a deviation, or several, of which each wraps the previous ones. */
  readonly deviate?: string | readonly string[];
}
