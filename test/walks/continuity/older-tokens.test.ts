import { expect, test } from 'vitest'

import { wrapSignature } from '../../../src/generate/signatures.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { dialects } from '../../requests/dialects.ts'
import { callingReplies } from './calling-replies.ts'

/** What an account of another dialect than Messages has signed, as clients of that hold it. */
const tokenOf = (dialect: string) => {
  return wrapSignature({ dialect, value: 'c2VhbGVk', id: 'call_1' })
}

/** A history whose answer thinks before it calls, and bears this signature. */
const asking = (signature: string) => ({
  model: 'm',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'How is Bern?' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature },
        { type: 'tool_use', id: 'call_1', name: 'weather', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Rain.' }] },
  ],
  tools: [{ name: 'weather', input_schema: { type: 'object' } }],
})

test.for([
  { account: 'responses', provider: 'openai', base: '/v1', isTold: false },
  { account: 'generate', provider: 'gemini', base: '', isTold: true },
] as const)(
  'a token that names no account goes to one of $account: $isTold',
  async ({ account, provider, base, isTold }) => {
    await using fake = await startFakeAccount(answerJson(callingReplies[account]([])))
    const baseUrl = `${fake.url}${base}`
    await using gateway = await createTestGateway({
      accounts: [{ id: 'a', provider, baseUrl, speaks: [account], models: ['m'] }],
    })
    const response = await fetch(`${gateway.url}/v1/messages`, {
      method: 'POST',
      headers: dialects.messages.credential(gateway.key),
      body: JSON.stringify(asking(tokenOf(account))),
    })

    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 })
    const told = fake.requests[0]!.body.toString()
    expect(told).toContain('weather')
    expect(told.includes('c2VhbGVk')).toBe(isTold)
  },
)
