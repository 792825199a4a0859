import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { createTestGateway } from '../../src/testing/gateway.ts'
import { ask } from '../walks/streams/asking.ts'
import { form } from '../walks/streams/forms.ts'

const { chat, generate, messages } = form

/** What a gateway makes of each refusal that the sandbox has in store. `shown`: its caller sees it. */
const denials = [
  { deny: 'key', form: chat, shown: 502 },
  { deny: 'key', form: messages, shown: 502 },
  { deny: 'key', form: generate, shown: 502 },
  { deny: 'credit', form: chat, shown: 502 },
  { deny: 'credit', form: messages, shown: 502 },
  { deny: 'credit', form: generate, shown: 502 },
  { deny: 'model', form: chat, shown: 502 },
  { deny: 'model', form: generate, shown: 502 },
  { deny: 'file', form: generate, shown: 403 },
  { deny: 'flagged', form: chat, shown: 403 },
  { deny: 'tokens', form: chat, shown: 402 },
  { deny: 'unclear', form: chat, shown: 403 },
  { deny: 'unclear', form: messages, shown: 403 },
  { deny: 'unclear', form: generate, shown: 403 },
]

describe.each(denials)('the refusal "$deny" of $form.name', ({ deny, form, shown }) => {
  test(`is answered with ${shown}, and takes the account from no other call`, async () => {
    await using sandbox = await startSandbox()
    await using gateway = await createTestGateway({
      accounts: [
        {
          id: 'a',
          provider: 'sandbox',
          baseUrl: sandbox.url,
          apiKey: 'sandbox-key-a',
          models: ['*'],
        },
      ],
    })
    const asking = { model: `sandbox/deny=${deny}`, stream: false }

    const refused = await ask(gateway, form, asking)

    expect(refused.status).toBe(shown)
    const other = await ask(gateway, form, { model: 'sandbox/echo', stream: false })
    expect(other.status).toBe(200)
  })
})

test('a refusal that a provider does not send is a mistake of the directive', async () => {
  await using sandbox = await startSandbox()
  const refused = async (directive: string) => {
    const response = await fetch(`${sandbox.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-key-a', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: `sandbox/${directive}`,
        messages: [{ role: 'user', content: 'hi' }],
      }),
    })
    return { status: response.status, text: await response.text() }
  }

  expect(await refused('deny=file')).toMatchObject({ status: 400 })
  expect((await refused('deny=nonsense')).text).toContain('deny is one of')
  expect(await refused('limit=account')).toMatchObject({ status: 400 })
  expect(await refused('limit=model')).toMatchObject({ status: 429 })
})
