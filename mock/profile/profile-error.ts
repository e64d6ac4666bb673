/** The observations cannot be followed as they stand; the message names the field, its value and what is allowed. */
export class ProfileError extends Error {}
