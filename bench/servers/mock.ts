/** The mock of the default world, as the package contains it: `npm run build` must have run. */
import { readInput, report } from '../served.ts';

const built = new URL('../../dist/mock/start-mock.js', import.meta.url).href;
const { startMock } = (await import(built)) as typeof import('../../mock/start-mock.ts');
const { addresses, target } = await startMock(readInput());
const { apiKey, admin } = target.credentials;
report({
  port: Number(new URL(addresses.host).port),
  prefix: '/v0',
  tokens: { apiKey: apiKey.value, jwt: admin.value },
});
