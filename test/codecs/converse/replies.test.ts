import { describe, expect, test } from 'vitest'

import { converseCodec } from '../../../plugins/dialects/converse/codec/index.ts'
import { asked } from './stream.ts'

const read = (reply: object) => converseCodec.decodeResult(reply as Record<string, never>, asked)
const saying = (...content: object[]) => ({
  output: { message: { role: 'assistant', content } },
  stopReason: 'end_turn',
  usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5 },
})

describe('a reply of Converse', () => {
  test('has each kind of block, but for tools of the account', () => {
    const web = { title: 'A', location: { web: { url: 'https://a.example/' } } }
    const reply = saying(
      { reasoningContent: { reasoningText: { text: 'Hm.', signature: 'c2ln' } } },
      { reasoningContent: { redactedContent: 'c2VjcmV0' } },
      { citationsContent: { content: [{ text: 'It is' }, { text: ' A.' }], citations: [web] } },
      { toolUse: { toolUseId: 's', name: 'search', input: {}, type: 'server_tool_use' } },
      { toolResult: { toolUseId: 's', content: [{ text: 'found' }] } },
      { image: { format: 'png', source: { bytes: 'aW1n' } } },
      { toolUse: { toolUseId: 't', name: 'look', input: { a: 1 } } },
      { blockOfTheFuture: {} },
    )
    expect(read(reply)).toEqual({
      choices: [
        {
          content: [
            {
              type: 'reasoning',
              form: 'summary',
              text: 'Hm.',
              signature: { dialect: 'converse', value: 'c2ln' },
            },
            {
              type: 'reasoning',
              form: 'redacted',
              text: '',
              signature: { dialect: 'converse', value: 'c2VjcmV0' },
            },
            {
              type: 'text',
              text: 'It is A.',
              citations: [{ url: 'https://a.example/', title: 'A' }],
            },
            { type: 'image', mediaType: 'image/png', source: { kind: 'data', base64: 'aW1n' } },
            { type: 'tool_call', kind: 'function', id: 't', name: 'look', arguments: '{"a":1}' },
          ],
          stop: { reason: 'tool_calls', raw: 'end_turn' },
        },
      ],
      usage: { inputTokens: 3, outputTokens: 2 },
    })
  })

  test('names the model that a prompt router has chosen, and its tier', () => {
    const invokedModelId = 'arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-x'
    const trace = { promptRouter: { invokedModelId } }
    expect(read({ ...saying({ text: 'Hi' }), trace, serviceTier: { type: 'flex' } })).toMatchObject(
      {
        model: invokedModelId,
        serviceTier: 'flex',
        usage: { tier: 'flex' },
      },
    )
  })

  test('that has no message is an error, or none at all', () => {
    const unknown = { __type: 'com.amazon.coral.service#ThrottlingException', message: 'Slow.' }
    expect(read(unknown)).toEqual({ type: 'error', status: 429, message: 'Slow.' })
    expect(() => read({})).toThrow('no message')
  })

  test('that is malformed is no answer', () => {
    expect(read({ ...saying({ text: '<tool' }), stopReason: 'malformed_tool_use' })).toMatchObject({
      type: 'error',
      about: 'answer',
    })
  })

  test('with a tool use without a name cannot be read', () => {
    expect(() => read(saying({ toolUse: { toolUseId: 't', input: {} } }))).toThrow('without a name')
  })
})
