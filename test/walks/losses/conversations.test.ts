import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { accountsFor } from '../../codecs/fields/rows.ts'
import { type FieldStage, policies, startFieldStage } from '../../codecs/fields/stage.ts'
import type { Name } from '../../codecs/samples/index.ts'
import type { JsonObject } from '../../../src/lib/json/object.ts'

/** A request that the gateway has to change for accounts, as the tables of fields cannot say it. */
interface Row {
  readonly client: Name
  /** Default: the accounts of all other dialects. */
  readonly on?: readonly Name[]
  readonly what: string
  readonly body: JsonObject
  /** The loss that `drop` names and `reject` refuses; absent if nothing is lost. */
  readonly named?: string
  /** The field that both policies refuse. */
  readonly refused?: string
  /** What the account gets, on any or on each account. */
  readonly sent?: string | Readonly<Record<Name, string>>
}

const chat = (...messages: readonly object[]) => ({ messages })
const messages = (...list: readonly object[]) => ({ max_tokens: 100, messages: list })
const responses = (...input: readonly object[]) => ({ input })
const generate = (...contents: readonly object[]) => ({ contents })
const user = (content: unknown) => ({ role: 'user', content })
const assistant = (content: unknown) => ({ role: 'assistant', content })
const system = { role: 'system', content: 'Be brief.' }
const parts = (role: string, ...list: readonly object[]) => ({ role, parts: list })

const called = {
  chat: {
    role: 'assistant',
    tool_calls: [{ id: 'one', type: 'function', function: { name: 'look', arguments: '{}' } }],
  },
  messages: assistant([{ type: 'tool_use', id: 'one', name: 'look', input: {} }]),
  responses: { type: 'function_call', call_id: 'one', name: 'look', arguments: '{}' },
  generate: parts('model', { functionCall: { name: 'look', args: {} } }),
}
const result = {
  chat: { role: 'tool', tool_call_id: 'one', content: 'rain in Rome' },
  messages: user([{ type: 'tool_result', tool_use_id: 'one', content: 'rain in Rome' }]),
  responses: { type: 'function_call_output', call_id: 'one', output: 'rain in Rome' },
}
const question = user('And?')

/** What each account reads in place of a result. */
const noResult = {
  responses: '"output":"aborted"',
  chat: '"content":"No result."',
  messages: '"content":"No result of this call was given."',
  generate: '"output":"No result."',
}
const asked = parts('user', { text: 'And?' })

const ofTools: readonly Row[] = [
  ...(
    [
      ['chat', 'messages', chat(question, called.chat, question)],
      ['messages', 'messages', messages(question, called.messages, question)],
      ['responses', 'input', responses(question, called.responses, question)],
      ['generate', 'contents', generate(asked, called.generate, asked)],
    ] as const
  ).map(([client, named, body]) => ({ client, named, body, what: 'no result', sent: noResult })),
  ...(
    [
      ['chat', 'messages[1]', chat(question, result.chat)],
      ['messages', 'messages[0].content[0]', messages(result.messages)],
      ['responses', 'input[1]', responses(question, result.responses)],
    ] as const
  ).map(([client, named, body]) => ({
    client,
    named,
    body,
    what: 'a result without its call',
    sent: 'rain in Rome',
  })),
  ...(
    [
      ['chat', chat(question, called.chat, result.chat)],
      ['messages', messages(question, called.messages, result.messages)],
      ['responses', responses(question, called.responses, result.responses)],
    ] as const
  ).map(([client, body]) => ({ client, body, what: 'a call and its result' })),
  {
    client: 'responses',
    on: ['chat'],
    what: 'a second result of one call',
    body: responses(question, called.responses, result.responses, result.responses),
    named: 'input[3]',
  },
]

/** Accounts of Messages require a text in each message, and messages of the user at the beginning and at the end. */
const written = {
  chat: (...texts: string[]) => chat(...texts.map((text, at) => (at % 2 ? assistant : user)(text))),
  responses: (...texts: string[]) =>
    responses(...texts.map((text, at) => (at % 2 ? assistant : user)(text))),
  generate: (...texts: string[]) =>
    generate(...texts.map((text, at) => parts(at % 2 ? 'model' : 'user', { text }))),
}
const emptyField = {
  chat: (at: number) => `messages[${at}].content`,
  responses: (at: number) => `input[${at}].content`,
  generate: (at: number) => `contents[${at}].parts`,
}
const on: readonly Name[] = ['messages']

const ofMessages: readonly Row[] = [
  ...(['chat', 'responses', 'generate'] as const).flatMap((client): Row[] => {
    const [write, field] = [written[client], emptyField[client]]
    const words = { client, on, what: 'an empty message' }
    return [
      { ...words, body: write(''), refused: field(0) },
      { ...words, what: 'a blank message', body: write(' \n'), refused: field(0) },
      { ...words, body: write('', 'Hello.', 'Hi'), refused: field(0) },
      { ...words, body: write('Hi', 'Hello.', ''), refused: field(2) },
    ]
  }),
  {
    client: 'chat',
    on,
    what: 'an empty message beside others',
    body: chat(user('Hi'), user(''), assistant('Hello.'), user('Bye')),
    named: 'messages[1].content',
    sent: '[{"role":"user","content":[{"type":"text","text":"Hi"}]},{"role":"assistant",',
  },
  {
    client: 'responses',
    on,
    what: 'an empty message beside others',
    body: responses(user('Hi'), user(''), assistant('Hello.'), user('Bye')),
    named: 'input[1].content',
  },
  {
    client: 'generate',
    on,
    what: 'an empty message beside others',
    body: generate(
      parts('user', { text: 'Hi' }),
      parts('user', { text: '' }),
      parts('model', { text: 'Hello.' }),
      parts('user', { text: 'Bye' }),
    ),
    named: 'contents[1].parts',
  },
  ...(
    [
      ['responses', 'nothing but instructions', { instructions: 'Be brief.', input: [] }, 'input'],
      ['responses', 'an answer at the end', responses(user('Hi'), assistant('Hello.')), 'input'],
      ['responses', 'nothing but an answer', responses(assistant('Hi')), 'input'],
      ['chat', 'nothing but instructions', chat(system), 'messages'],
    ] as const
  ).map(([client, what, body, named]) => ({ client, on, what, body, named, sent: '"Continue."' })),
  { client: 'responses', on, what: 'no message', body: { input: [] }, refused: 'input' },
  {
    client: 'responses',
    on,
    what: 'a message of no part',
    body: responses(user([])),
    refused: 'input[0].content',
  },
  {
    client: 'generate',
    on,
    what: 'topK 0',
    body: { ...written.generate('Hi'), generationConfig: { topK: 0 } },
    named: 'generationConfig.topK',
  },
]

/** The Gemini API requires a content of the user at the beginning. */
const ofGemini: readonly Row[] = (
  [
    ['chat', chat(assistant('Hello.'), user('Hi')), 'messages'],
    ['responses', responses(assistant('Hello.'), user('Hi')), 'input'],
    ['chat', chat(system), 'messages'],
  ] as const
).map(([client, body, named]) => ({
  client,
  on: ['generate'],
  what: 'no message of the user at the beginning',
  body,
  named,
  sent: '"contents":[{"role":"user","parts":[{"text":" "}]}',
}))

/** Accounts of Responses refuse a limit below 16; agents probe quotas with 1. */
const ofResponses: readonly Row[] = (
  [
    ['messages', 'max_tokens', (max_tokens: number) => ({ ...messages(question), max_tokens })],
    ['chat', 'max_tokens', (max_tokens: number) => ({ ...chat(question), max_tokens })],
    [
      'chat',
      'max_completion_tokens',
      (max_completion_tokens: number) => ({ ...chat(question), max_completion_tokens }),
    ],
    [
      ...(['generate', 'generationConfig.maxOutputTokens'] as const),
      (maxOutputTokens: number) => ({ ...generate(asked), generationConfig: { maxOutputTokens } }),
    ],
  ] as const
).flatMap(([client, named, limited]) => {
  const row = { client, on: ['responses'] as const, sent: '"max_output_tokens":16' }
  return [
    { ...row, what: `a ${named} of 1`, body: limited(1), named },
    { ...row, what: `a ${named} of 16`, body: limited(16) },
  ]
})

const rows = [...ofTools, ...ofMessages, ...ofGemini, ...ofResponses].flatMap((row) =>
  (row.on ?? accountsFor(row.client)).map((account) => ({ ...row, account })),
)

describe('what the gateway changes for accounts that require more', () => {
  let stage: FieldStage
  beforeAll(async () => void (stage = await startFieldStage()))
  afterAll(() => stage[Symbol.asyncDispose]())

  test.each(dailyRows(rows))('$client on $account: $what', async (row) => {
    const { client, account, body, named, refused, sent = '' } = row
    for (const policy of policies) {
      const answer = await stage.ask(client, account, policy, body)
      const field = refused ?? (policy === 'reject' ? named : undefined)
      if (field !== undefined) {
        expect(answer).toMatchObject({ status: 400, body: undefined })
        expect([answer.param, answer.message].join()).toContain(field)
        continue
      }
      expect(answer).toMatchObject({ status: 200, losses: named === undefined ? [] : [named] })
      const words = typeof sent === 'string' ? sent : sent[account]
      expect(JSON.stringify(answer.body)).toContain(words)
    }
  })
})
