/** The parts that bodies of several calls have in common, as JSON Schema. */
export const clockMode = { type: 'string', enum: ['running', 'frozen'] } as const;

export const time = { type: 'string', format: 'date-time' } as const;

export const worldId = {
  type: 'string',
  pattern: '^[a-z0-9-]{1,49}$',
  'x-allowed': '1 to 49 lowercase letters, digits and hyphens',
} as const;

/** A random generator begins with 32 bits. */
export const seed = { type: 'integer', minimum: 0, maximum: 2 ** 32 - 1 } as const;
