import { describe, expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { bodyOf, startMixed } from './mixed.ts'
import { errorIn } from './pairs.ts'

const question = { role: 'user', content: 'And?' }

/** A call whose result the conversation lacks, in the words of each client. */
const clients = [
  {
    client: form.chat,
    field: 'messages',
    fields: {
      messages: [
        question,
        {
          role: 'assistant',
          tool_calls: [
            { id: 'one', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
        question,
      ],
    },
  },
  {
    client: form.messages,
    field: 'messages',
    fields: {
      messages: [
        question,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'one', name: 'look', input: {} }] },
        question,
      ],
    },
  },
  {
    client: form.responses,
    field: 'input',
    fields: {
      input: [
        question,
        { type: 'function_call', call_id: 'one', name: 'look', arguments: '{}' },
        question,
      ],
    },
  },
  {
    client: form.generate,
    field: 'contents',
    fields: {
      contents: [
        { role: 'user', parts: [{ text: 'And?' }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
        { role: 'user', parts: [{ text: 'And?' }] },
      ],
    },
  },
] as const

/** What each account reads in place of the result. */
const accounts = [
  [form.responses, '"output":"aborted"'],
  [form.chat, '"content":"No result."'],
  [form.messages, '"content":"No result of this call was given."'],
  [form.generate, '"output":"No result."'],
] as const

const cases = clients.flatMap((one) =>
  accounts.flatMap(([account, words]) =>
    account === one.client ? [] : [{ ...one, account, words }],
  ),
)

describe.each(cases)('$client.name on $account.name', ({ client, account, field, ...one }) => {
  test('a client is told that the gateway speaks for a tool', async () => {
    await using mixed = await startMixed({ foreign: { form: account } })

    const response = await ask(mixed.gateway, client, { stream: false, fields: one.fields })

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBe(field)
    expect(JSON.stringify(bodyOf(mixed.accounts.foreign))).toContain(one.words)
  })

  test.each(['reject', 'native'] as const)(
    'a client that wants nothing changed (%s) is refused',
    async (losses) => {
      await using mixed = await startMixed({ foreign: { form: account } }, { losses })

      const response = await ask(mixed.gateway, client, { stream: false, fields: one.fields })

      expect(response.status).toBe(400)
      expect(errorIn(client, await response.text())['message']).toContain(`\`${field}\``)
      expect(mixed.accounts.foreign.requests).toHaveLength(0)
    },
  )
})
