/** The path of a browser for tests and screenshots. */
import { existsSync } from 'node:fs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const named = process.env['CHROMIUM'];

/** Undefined if there is none. The variable CHROMIUM overrides it; an empty value means none. */
export const browserPath: string | undefined =
  named === undefined ? places.find((place) => existsSync(place)) : named === '' ? undefined : named;
