/** Characters that are not seen, and that a terminal obeys or that turn around the text beside them. */

/** Control, format (direction among them), line and paragraph separators (Unicode general categories); all that a text has. */
export const unseenCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
