/** Schemas that several `/_mock` bodies share. */
import { z } from 'zod';

export const clockMode = z.enum(['running', 'frozen']);

export const worldId = z
  .string()
  .regex(/^[a-z0-9-]{1,49}$/, { error: '1 to 49 lowercase letters, digits and hyphens' });

/** The state of a random generator has 32 bits. */
export const seed = z
  .int({ error: 'an integer from 0 to 4294967295' })
  .min(0)
  .max(2 ** 32 - 1);
