/** What is wrong with a world file, in a sentence for its author. */
export class WorldFileError extends Error {}
