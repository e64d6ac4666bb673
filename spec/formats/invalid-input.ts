/** A file or value from the user that is not in its format; the message is a sentence for the person who wrote it. */
export class InvalidInput extends Error {}
