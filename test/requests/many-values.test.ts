import { expect, test } from 'vitest'

import { mostEscapes } from '../../src/lib/json/measure.ts'
import { startService, useOnly } from './service.ts'

const calling = (text: string) => ({
  messages: [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: text } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'r' },
    // A body above 64 KiB, whose arguments are measured.
    { role: 'user', content: 'a'.repeat(70_000) },
  ],
})

const argumentsOf = (values: number) => `{"a":[${'true,'.repeat(values)}true]}`

test('arguments of tool calls have the limit of values that is configured', async () => {
  await using service = await startService({ limits: { jsonValues: 5_000 } })
  useOnly('messages', service)

  const refused = await service.ask('chat', calling(argumentsOf(5_000)))
  const taken = await service.ask('chat', calling(argumentsOf(4_000)))

  expect(refused.status).toBe(413)
  expect(await refused.text()).toContain('more than 5000 JSON values')
  expect(taken.status).toBe(200)
})

test('a higher limit of values holds for arguments of several calls together, too', async () => {
  await using service = await startService({ limits: { jsonValues: 1_000_000 } })
  useOnly('messages', service)
  const [user, assistant, ...rest] = calling('').messages
  const call = (id: string) => ({
    id,
    type: 'function',
    function: { name: 'f', arguments: argumentsOf(200_000) },
  })
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'r' })

  const response = await service.ask('chat', {
    messages: [
      user,
      { ...assistant, tool_calls: [call('c'), call('d')] },
      result('c'),
      result('d'),
      rest.at(-1),
    ],
  })

  expect(response.status).toBe(200)
})

test.each(['messages', 'responses', 'generate'] as const)(
  'more parts than a function has arguments reach an account of %s',
  async (dialect) => {
    await using service = await startService({ limits: { jsonValues: 1_000_000 } })
    useOnly(dialect, service)
    const parts = Array.from({ length: 150_000 }, () => ({ type: 'text', text: 'a' }))

    const response = await service.ask('chat', {
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'user', content: parts },
      ],
    })

    expect(response.status).toBe(200)
    expect(
      service
        .received()
        .body.toString()
        .match(/"text":"a"/g),
    ).toHaveLength(parts.length)
  },
)

test('a body of millions of escapes is refused, and reaches no account', async () => {
  await using service = await startService()
  const asking = (escapes: number) =>
    service.ask('chat', { messages: [{ role: 'user', content: '\n'.repeat(escapes) }] })

  const refused = await asking(mostEscapes + 1)
  expect([refused.status, await refused.text()]).toEqual([
    413,
    expect.stringContaining('more than 2000000 escapes'),
  ])
  expect(service.upstream.requests).toEqual([])
  expect((await asking(mostEscapes)).status).toBe(200)
})
