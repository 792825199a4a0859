import { describe, expect, test } from 'vitest'

import type { DialectName } from '../../requests/dialects.ts'
import { accountsAt, startService } from '../../requests/service.ts'
import type { TestGatewayOptions } from '../../../src/testing/gateway.ts'

type Line = readonly [role: 'user' | 'assistant', text: string]

/** A conversation in the words of a client. */
const written: Record<'chat' | 'responses' | 'generate', (lines: readonly Line[]) => object> = {
  chat: (lines) => ({ messages: lines.map(([role, content]) => ({ role, content })) }),
  responses: (lines) => ({ input: lines.map(([role, content]) => ({ role, content })) }),
  generate: (lines) => ({
    contents: lines.map(([role, text]) => ({
      role: role === 'user' ? 'user' : 'model',
      parts: [{ text }],
    })),
  }),
}

const emptyField = {
  chat: (index: number) => `messages[${index}].content`,
  responses: (index: number) => `input[${index}].content`,
  generate: (index: number) => `contents[${index}].parts`,
}

const clients = ['chat', 'responses', 'generate'] as const

async function say(client: DialectName, fields: object, options: TestGatewayOptions = {}) {
  await using service = await startService(options)
  const [, anthropic] = accountsAt(service.upstream.url)
  service.gateway.reload({ accounts: [anthropic!] })
  const response = await service.ask(client, fields)
  const text = await response.text()
  const [request] = service.upstream.requests
  const sent = request && (JSON.parse(request.body.toString()) as Record<string, unknown>)
  return { status: response.status, text, losses: response.headers.get('x-dragoman-losses'), sent }
}

describe.each(clients)('a %s client on a Messages account', (client) => {
  test.each<[string, number, Line[]]>([
    ['alone', 0, [['user', '']]],
    ['of blanks', 0, [['user', ' \n']]],
    [
      'at the beginning',
      0,
      [
        ['user', ''],
        ['assistant', 'Hello.'],
        ['user', 'Hi'],
      ],
    ],
    [
      'at the end',
      2,
      [
        ['user', 'Hi'],
        ['assistant', 'Hello.'],
        ['user', ''],
      ],
    ],
  ])('has no words put into its mouth for an empty message %s', async (_, index, lines) => {
    for (const losses of ['drop', 'reject'] as const) {
      const { status, text, sent } = await say(client, written[client](lines), { losses })
      expect(status).toBe(400)
      expect(text).toContain(emptyField[client](index))
      expect(sent).toBeUndefined()
    }
  })

  test('has an empty message beside others left out and named, or refused by its policy', async () => {
    const lines: Line[] = [
      ['user', 'Hi'],
      ['user', ''],
      ['assistant', 'Hello.'],
      ['user', 'Bye'],
    ]
    const dropped = await say(client, written[client](lines))
    expect(dropped.status).toBe(200)
    expect(dropped.losses).toContain(emptyField[client](1))
    expect(dropped.sent?.messages).toMatchObject([
      { role: 'user', content: [{ text: 'Hi' }] },
      { role: 'assistant', content: [{ text: 'Hello.' }] },
      { role: 'user', content: [{ text: 'Bye' }] },
    ])
    const refused = await say(client, written[client](lines), { losses: 'reject' })
    expect([refused.status, refused.sent]).toEqual([400, undefined])
    expect(refused.text).toContain(emptyField[client](1))
  })
})

/** Conversations of each client that no message of the user begins, or that an answer ends. */
const lacking: readonly [DialectName, string, object, string][] = [
  ['responses', 'nothing but instructions', { instructions: 'Be brief.', input: [] }, 'input'],
  [
    'responses',
    'an answer at the end',
    {
      input: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
      ],
    },
    'input',
  ],
  [
    'responses',
    'nothing but an answer',
    { input: [{ role: 'assistant', content: 'Hi' }] },
    'input',
  ],
  [
    'chat',
    'nothing but instructions',
    { messages: [{ role: 'system', content: 'Be brief.' }] },
    'messages',
  ],
]

describe.each(lacking)('a %s client with %s on a Messages account', (client, _, fields, field) => {
  test('reads that the gateway says "Continue." for it', async () => {
    const { status, losses, sent } = await say(client, fields)
    expect([status, losses]).toEqual([200, field])
    expect(sent?.messages).toContainEqual({
      role: 'user',
      content: [{ type: 'text', text: 'Continue.' }],
    })
  })

  test('is refused where losses are', async () => {
    const { status, text, sent } = await say(client, fields, { losses: 'reject' })
    expect([status, sent]).toEqual([400, undefined])
    expect(text).toContain(`\`${field}\``)
  })
})

test.each([
  ['without any message', [], 'input'],
  ['with a message of no part', [{ role: 'user', content: [] }], 'input[0].content'],
])('a Responses client %s has no words put into its mouth', async (_, input, field) => {
  for (const losses of ['drop', 'reject'] as const) {
    const { status, text, sent } = await say('responses', { input }, { losses })
    expect([status, sent]).toEqual([400, undefined])
    expect(text).toContain(`"${field}"`)
  }
})

describe('a Gemini client that asks for topK 0', () => {
  const topK = 0
  const fields = { ...written.generate([['user', 'Hi']]), generationConfig: { topK } }

  test('gets no other one from a Messages account', async () => {
    const { status, losses, sent } = await say('generate', fields)
    expect(status).toBe(200)
    expect(losses).toBe('generationConfig.topK')
    expect(sent).not.toHaveProperty('top_k')
  })

  test('is refused where losses are', async () => {
    const { status, text, sent } = await say('generate', fields, { losses: 'reject' })
    expect([status, sent]).toEqual([400, undefined])
    expect(text).toContain('`generationConfig.topK`')
  })
})
