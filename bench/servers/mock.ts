/** The mock of the default world, as a user would start it. */
import { startMock } from '../../mock/start-mock.ts';
import { readInput, report, type MockInput } from '../served.ts';

const { addresses, target } = await startMock(readInput<MockInput>());
const { apiKey, admin } = target.credentials;
report({
  port: Number(new URL(addresses.host).port),
  prefix: '/v0',
  tokens: { apiKey: apiKey.value, jwt: admin.value },
});
