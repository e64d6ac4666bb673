/** Matches invisible characters that control a terminal or change the direction of text. */

/** Unicode categories: control, format (including direction), line separator and paragraph separator. */
export const invisibleCharacters = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
