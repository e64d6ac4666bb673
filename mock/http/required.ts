/**
 * Exports of node:http, loaded with require. Importing node:http reads all its exports, and its WebSocket then loads the whole
 * of undici, which adds 20 ms to every start.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Loaded only for a mock that serves HTTPS. */
export const loadHttps = () => require('node:https') as typeof import('node:https');

export const { createServer, STATUS_CODES } = require('node:http') as typeof import('node:http');
