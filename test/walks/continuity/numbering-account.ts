import {
  type FakeAccount,
  answerJson,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import { type TestGateway, createTestGateway } from '../../../src/testing/gateway.ts'
import { callingReplies } from './calling-replies.ts'
import type { Spoken } from './stage.ts'

/** Dialects whose accounts sign what they call. */
export const signing = ['messages', 'responses', 'generate'] as const

interface Call {
  readonly id: string | undefined
  readonly city: string
  readonly signature: string
}

/** Replies that have no id, with one signed call. */
const replies: { readonly [spoken in Spoken]: (call: Call) => object } = {
  chat: ({ id, city }) => ({
    object: 'chat.completion',
    model: 'm',
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id, type: 'function', function: { name: 'weather', arguments: argumentsOf(city) } },
          ],
        },
      },
    ],
  }),
  messages: ({ id, city, signature }) => ({
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature },
      { type: 'tool_use', id, name: 'weather', input: { city } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
  }),
  responses: ({ id, city, signature }) => ({
    object: 'response',
    status: 'completed',
    model: 'm',
    output: [
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: signature },
      { type: 'function_call', call_id: id, name: 'weather', arguments: argumentsOf(city) },
    ],
  }),
  generate: ({ id, city, signature }) => ({
    modelVersion: 'm',
    candidates: [
      {
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: [
            { functionCall: { id, name: 'weather', args: { city } }, thoughtSignature: signature },
          ],
        },
      },
    ],
  }),
}

/** As models write them: clients may write them anew. */
function argumentsOf(city: string): string {
  return `{ "city": ${JSON.stringify(city)} }`
}

/** The signature that the account gives with its so manieth answer, the first being 1. */
export function signatureOf(answer: number): string {
  return Buffer.from(`signature ${answer}`).toString('base64')
}

const providers = {
  chat: ['openai', '/v1'],
  messages: ['anthropic', ''],
  responses: ['openai', '/v1'],
  generate: ['gemini', ''],
} as const

export interface Numbering extends AsyncDisposable {
  readonly gateway: TestGateway
  readonly account: FakeAccount
}

/**
 * An account that calls a tool for the city that it is asked for, until it is told a result. Its
 * replies have no ids; `callId` is what it calls every one of its calls.
 */
export async function startNumbering(spoken: Spoken, callId?: string): Promise<Numbering> {
  await using starting = new AsyncDisposableStack()
  let answers = 0
  const account = starting.use(
    await startFakeAccount((response, request) => {
      const said = request.body.toString()
      const city = /How is (\w+)\?/.exec(said)?.[1] ?? ''
      const call = { id: callId, city, signature: signatureOf(++answers) }
      const isDone = /result \d/.test(said)
      const reply = isDone ? callingReplies[spoken]([]) : replies[spoken](call)
      return answerJson(reply)(response, request)
    }),
  )
  const [provider, base] = providers[spoken]
  const baseUrl = `${account.url}${base}`
  const configured = { id: 'a', provider, baseUrl, speaks: [spoken], models: ['m'] }
  const gateway = starting.use(await createTestGateway({ accounts: [configured] }))
  const started = starting.move()
  return { gateway, account, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

/** The signatures that the account has been told last. */
export function signaturesTold({ account }: Numbering): number[] {
  const told = account.requests.at(-1)!.body.toString()
  return [1, 2, 3, 4].filter((answer) => told.includes(signatureOf(answer)))
}
