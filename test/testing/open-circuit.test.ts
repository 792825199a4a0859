import { expect, test } from 'vitest'

import { answerJson, createTestGateway, startFakeAccount } from '../../src/testing/index.ts'

test('the logs of a test gateway name the circuit that five deliberate failures have opened', async () => {
  await using account = await startFakeAccount(answerJson({}, { status: 500 }))
  const { url: baseUrl } = account
  await using gateway = await createTestGateway({
    accounts: [
      { id: 'a', provider: 'openai', baseUrl: `${baseUrl}/v1`, apiKey: 'k', models: ['*'] },
    ],
  })
  const ask = () =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] }),
    }).then((response) => response.text())
  for (let failures = 0; failures < 5; failures++) await ask()

  expect(await ask()).toContain('No account can serve the model')

  expect(account.requests).toHaveLength(5)
  const opened = gateway.log.filter(({ msg }) => String(msg).startsWith('circuit opened'))
  expect(opened).toMatchObject([{ account: 'a', family: 'chat', model: 'm' }])
  const refused = (await gateway.logged(6)).at(-1)
  expect(refused).toMatchObject({
    status: 503,
    excluded: [{ account: 'a', by: 'account-health' }],
  })
})
