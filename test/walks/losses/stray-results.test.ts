import { describe, expect, test } from 'vitest'

import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { bodyOf, startMixed } from './mixed.ts'
import { errorIn } from './pairs.ts'

const question = { role: 'user', content: 'And?' }

/** A result whose call is not in the history, in the words of each client that can say it. */
const clients = [
  {
    client: form.chat,
    field: 'messages[1]',
    stray: {
      messages: [question, { role: 'tool', tool_call_id: 'nope', content: 'rain in Rome' }],
    },
    answered: {
      messages: [
        question,
        {
          role: 'assistant',
          tool_calls: [
            { id: 'yes', type: 'function', function: { name: 'look', arguments: '{}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'yes', content: 'rain in Rome' },
      ],
    },
  },
  {
    client: form.messages,
    field: 'messages[0].content[0]',
    stray: {
      messages: [
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'nope', content: 'rain in Rome' }],
        },
      ],
    },
    answered: {
      messages: [
        question,
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'yes', name: 'look', input: {} }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'yes', content: 'rain in Rome' }],
        },
      ],
    },
  },
  {
    client: form.responses,
    field: 'input[1]',
    stray: {
      input: [question, { type: 'function_call_output', call_id: 'nope', output: 'rain in Rome' }],
    },
    answered: {
      input: [
        question,
        { type: 'function_call', call_id: 'yes', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'yes', output: 'rain in Rome' },
      ],
    },
  },
] as const

const accounts = [form.responses, form.chat, form.messages, form.generate]

const cases = clients.flatMap((one) =>
  accounts.flatMap((account) => (account === one.client ? [] : [{ ...one, account }])),
)

describe.each(cases)('$client.name on $account.name', ({ client, account, field, ...said }) => {
  test('a client is told that a result without its call went as words', async () => {
    await using mixed = await startMixed({ foreign: { form: account } })

    const response = await ask(mixed.gateway, client, { stream: false, fields: said.stray })

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBe(field)
    expect(JSON.stringify(bodyOf(mixed.accounts.foreign))).toContain('rain in Rome')
  })

  test('a client whose result has its call loses nothing', async () => {
    await using mixed = await startMixed({ foreign: { form: account } })

    const response = await ask(mixed.gateway, client, { stream: false, fields: said.answered })

    expect(response.status).toBe(200)
    expect(response.headers.has('x-dragoman-losses')).toBe(false)
  })

  test('a client that wants nothing changed is refused', async () => {
    await using mixed = await startMixed({ foreign: { form: account } }, { losses: 'native' })

    const response = await ask(mixed.gateway, client, { stream: false, fields: said.stray })

    expect(response.status).toBe(400)
    expect(errorIn(client, await response.text())['message']).toContain(`\`${field}\``)
    expect(mixed.accounts.foreign.requests).toHaveLength(0)
  })
})

test('a client is told that the second result of one call went as words', async () => {
  await using mixed = await startMixed({ foreign: { form: form.chat } })
  const call = { type: 'function_call', call_id: 'yes', name: 'look', arguments: '{}' }
  const result = { type: 'function_call_output', call_id: 'yes', output: 'rain' }

  const fields = { input: [question, call, result, result] }
  const response = await ask(mixed.gateway, form.responses, { stream: false, fields })

  expect(response.status).toBe(200)
  expect(response.headers.get('x-dragoman-losses')).toBe('input[3]')
})
