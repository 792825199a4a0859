import { createTestGateway } from '../../src/testing/gateway.ts'

/** A gateway that a test kills. */
const [store = '', account = ''] = process.argv.slice(2)
const gateway = await createTestGateway({
  store,
  accounts: [
    { id: 'a', provider: 'openai', baseUrl: `${account}/v1`, apiKey: 'sk-a', models: ['gpt-a'] },
  ],
  prices: { 'gpt-a': { rates: { input: '2', output: '8' } } },
})
console.log(gateway.url)
