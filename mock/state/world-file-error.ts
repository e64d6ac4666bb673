/** An invalid world file; the message is meant for its author. */
export class WorldFileError extends Error {}
