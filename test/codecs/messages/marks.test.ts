import { describe, expect, test } from 'vitest'

import { chatCodec } from '../../../plugins/dialects/chat/codec/index.ts'
import { messagesCodec } from '../../../plugins/dialects/messages/codec/index.ts'
import { withoutLacks } from '../../../src/generate/account-lacks.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'

const decode = (body: JsonObject) =>
  chatCodec.decodeRequest({ body, stream: false, query: '', headers: {} })

function write(request: ReturnType<typeof decode>) {
  const { body } = messagesCodec.encodeRequest(request, 'claude-sonnet-4-5', () => {})
  return body as Record<'system' | 'tools', JsonObject[]> & {
    messages: { content: JsonObject[] }[]
  }
}

describe('the marks of Chat clients reach accounts of the Messages API', () => {
  test.each([
    ['cache_control', { type: 'ephemeral', ttl: '1h' }, { type: 'ephemeral', ttl: '1h' }],
    ['prompt_cache_breakpoint', { mode: 'auto' }, { type: 'ephemeral' }],
  ])('%s', (member, mark, cache_control) => {
    const part = { type: 'text', text: 'Hi', [member]: mark }
    const body = {
      model: 'm',
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be' }, part] },
        { role: 'user', content: [part, { type: 'text', text: 'you' }] },
      ],
      tools: [{ type: 'function', function: { name: 'look' }, [member]: mark }],
    }
    const { system, messages, tools } = write(decode(body))
    expect(system).toEqual([
      { type: 'text', text: 'Be' },
      { type: 'text', text: 'Hi', cache_control },
    ])
    expect(messages[0]?.content).toEqual([
      { type: 'text', text: 'Hi', cache_control },
      { type: 'text', text: 'you' },
    ])
    expect(tools[0]).toMatchObject({ name: 'look', cache_control })
    const without = withoutLacks(decode(body), ['cache_points'], messagesCodec.supports)
    expect(JSON.stringify(write(without))).not.toContain('cache_control')
  })

  test('with the result of a tool', () => {
    const cache_control = { type: 'ephemeral' }
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const result = [{ type: 'text', text: 'seen', cache_control }]
    const { messages } = write(
      decode({
        model: 'm',
        messages: [
          { role: 'user', content: 'Look.' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: 'c1', content: result },
        ],
      }),
    )
    expect(JSON.stringify(messages.at(-1)?.content)).toContain(
      '"cache_control":{"type":"ephemeral"}',
    )
  })

  test('and no more than four, the last ones', () => {
    const part = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } })
    const { system, messages } = write(
      decode({
        model: 'm',
        messages: [
          { role: 'system', content: [part('1'), part('2')] },
          { role: 'user', content: [part('3'), part('4'), part('5')] },
        ],
      }),
    )
    const marked = [...system, ...messages[0]!.content].filter((one) => one['cache_control'])
    expect(marked.map((one) => one['text'])).toEqual(['2', '3', '4', '5'])
  })
})
