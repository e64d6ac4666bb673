/** The fixed words of a target file. Apart from its schema, so that the mock starts without loading zod. */

export const allowLevels = ['read', 'write', 'destroy'] as const;

/** What a run may do: only read; also create and change; also remove what it did not create. */
export type Allow = (typeof allowLevels)[number];

export const credentialNames = ['admin', 'apiKey', 'member', 'workspaceAdmin', 'unrelated', 'expired'] as const;
export type CredentialName = (typeof credentialNames)[number];
