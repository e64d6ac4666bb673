/** Where this machine has a browser that tests and pictures can drive. */
import { existsSync } from 'node:fs';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const named = process.env['CHROMIUM'];

/** undefined: there is none. The variable CHROMIUM names another one; empty, it says that there is none. */
export const browserPath: string | undefined =
  named === undefined ? places.find((place) => existsSync(place)) : named === '' ? undefined : named;
