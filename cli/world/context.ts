/** What every part of a world file is built with. */
import type { KnownResources } from '../../spec/formats/target-file.ts';
import type { Fields } from '../../suites/json/fields.ts';
import type { Replacements } from './replacements.ts';

export interface AboutDeployment {
  /** As in its target file. */
  readonly account?: string;
  readonly workspace?: string;
  readonly resources: KnownResources;
  /** Milliseconds since 1970: the world starts at this time or later. */
  readonly takenAt: number;
  /** Whether a text contains a credential of the deployment. */
  readonly isSecret: (text: string) => boolean;
  /** Whether only secrets are replaced: for a world that leaves no trace. Default: false. */
  readonly keepsPersonal?: boolean;
  /** Whether the world has the usage that the metrics show. Default: true. */
  readonly hasUsage?: boolean;
}

export interface Context {
  readonly about: AboutDeployment;
  readonly replacements: Replacements;
  readonly note: (what: string, count?: number) => void;
  /** The workspace of what names none. */
  readonly workspace: string;
}

export const nameForm = /^[a-z0-9-]{1,49}$/;
export const regionForm = /^[a-z0-9-]{1,63}$/;
export const wordForm = /^[\w.-]{1,63}$/;

export const keptName = (own: string, { replacements: { kept, of } }: Context): string =>
  kept(own, /^[a-z0-9_-]{1,49}$/) ?? of('name', own);

export const ownWorkspace = (own: string | undefined, { workspace, replacements: { kept, of } }: Context): string =>
  own === undefined ? workspace : (kept(own, nameForm) ?? of('name', own));

/** A deployment's clock may be ahead, or its form of times unknown: an hour ago, so that the resource is deployed. */
export function createdAtOf({ createdAt }: Fields, takenAt: number): number {
  const instant = typeof createdAt === 'string' ? Date.parse(createdAt) : NaN;
  return instant < takenAt ? Math.max(instant, 0) : takenAt - 3_600_000;
}
