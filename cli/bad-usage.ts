/** What the person who called has to set right: printed as a sentence, exit code 2. */
export class BadUsage extends Error {}
