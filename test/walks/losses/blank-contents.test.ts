import { describe, expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { bodyOf, startMixed } from './mixed.ts'
import { errorIn } from './pairs.ts'

/** Conversations without a message of the user at the beginning, which the Gemini API requires. */
const conversations = [
  {
    client: form.chat,
    field: 'messages',
    fields: {
      messages: [
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Hi' },
      ],
    },
  },
  {
    client: form.responses,
    field: 'input',
    fields: {
      input: [
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: 'Hi' },
      ],
    },
  },
  {
    client: form.chat,
    field: 'messages',
    fields: { messages: [{ role: 'system', content: 'Be brief.' }] },
  },
] as const

describe.each(conversations)('a $client.name client on a Gemini account', (one) => {
  const { client, field, fields } = one

  test('is told that the gateway puts a blank content before its conversation', async () => {
    await using mixed = await startMixed({ foreign: { form: form.generate } })
    const response = await ask(mixed.gateway, client, { stream: false, fields })
    expect([response.status, response.headers.get('x-dragoman-losses')]).toEqual([200, field])
    const { contents } = bodyOf(mixed.accounts.foreign)
    expect((contents as object[])[0]).toEqual({ role: 'user', parts: [{ text: ' ' }] })
  })

  test('is refused where losses are', async () => {
    await using mixed = await startMixed({ foreign: { form: form.generate } }, { losses: 'reject' })
    const response = await ask(mixed.gateway, client, { stream: false, fields })
    expect(response.status).toBe(400)
    expect(errorIn(client, await response.text())['message']).toContain(`\`${field}\``)
    expect(mixed.accounts.foreign.requests).toHaveLength(0)
  })
})
