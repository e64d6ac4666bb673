/**
 * Modules loaded with require. Importing node:http reads all its exports, and its WebSocket then loads the whole of
 * undici, which adds 20 ms to every start. The ES module of @koa/router has such an import.
 */
import { createRequire } from 'node:module';
import type RouterClass from '@koa/router';

const require = createRequire(import.meta.url);

export const { createServer, STATUS_CODES } = require('node:http') as typeof import('node:http');

export const Router = require('@koa/router') as typeof RouterClass;
export type Router = RouterClass;
