import { expect, test } from 'vitest'

import type { dailyRows } from '../daily-rows.ts'
import { type Answer, answerJson } from '../../src/testing/fake-account.ts'
import { type DialectName, dialects } from './dialects.ts'
import { type Service, accountsAt, answerAnything, startService } from './service.ts'

/** V8 hashes texts of this length by nothing else. */
const long = (at: number) => String(at).padStart(17_000, 'a')

/** Work for each pair of 1,700 takes 15 s: longer than the timeout, which is far more than each test takes. */
const each = <T>(make: (text: string) => T, count = 1_700): T[] =>
  Array.from({ length: count }, (_, at) => make(long(at)))

/** A gateway with an account that speaks one dialect alone, so that it translates the requests of others. */
async function startFor(account: DialectName, answer: Answer = answerAnything): Promise<Service> {
  const service = await startService({}, answer)
  const [own] = accountsAt(service.upstream.url)
  service.gateway.reload({
    accounts: [{ ...own!, provider: 'openai-compatible', speaks: [account] }],
  })
  return service
}

/** The client of another dialect than the account's. */
const clientOf = (account: DialectName) => (account === 'chat' ? 'generate' : 'chat')

const tool = (name: string) => ({ type: 'function', function: { name } })

const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })

const inChat = {
  tools: { tools: each(tool) },
  choice: {
    tools: [...each(tool, 1_500), tool('f')],
    tool_choice: {
      type: 'allowed_tools',
      allowed_tools: { mode: 'auto', tools: each(tool, 1_500) },
    },
  },
  calls: {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: each(call) },
      ...each((id) => ({ role: 'tool', tool_call_id: id, content: 'r' })),
    ],
  },
}

const inGenerate = {
  tools: { tools: [{ functionDeclarations: each((name) => ({ name })) }] },
  choice: {
    tools: [{ functionDeclarations: each((name) => ({ name }), 1_500) }],
    toolConfig: {
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: each((name) => name, 1_500) },
    },
  },
  calls: {
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: each((id) => ({ functionCall: { id, name: 'f', args: {} } })),
      },
      {
        role: 'user',
        parts: each((id) => ({ functionResponse: { id, name: 'f', response: {} } })),
      },
    ],
  },
}

/** An account's reply with calls that have long ids. */
const replies = {
  responses: {
    ...dialects.responses.reply,
    output: each(
      (id) => ({
        type: 'function_call',
        id: id.slice(-4),
        call_id: id,
        name: 'f',
        arguments: '{}',
      }),
      1_500,
    ),
  },
  chat: {
    ...dialects.chat.reply,
    choices: [
      {
        index: 0,
        finish_reason: 'tool_calls',
        message: { role: 'assistant', content: null, tool_calls: each(call, 1_500) },
      },
    ],
  },
  messages: {
    ...dialects.messages.reply,
    stop_reason: 'tool_use',
    content: each((id) => ({ type: 'tool_use', id, name: 'f', input: {} }), 1_500),
  },
  generate: {
    candidates: [
      {
        finishReason: 'STOP',
        content: {
          role: 'model',
          parts: each((id) => ({ functionCall: { id, name: 'f', args: {} } }), 1_500),
        },
      },
    ],
  },
}

/** Thousands of long names in requests to, and replies of, accounts of these dialects. */
export function describeLongNames(
  accounts: readonly DialectName[],
  ofRun: typeof dailyRows = (rows) => [...rows],
): void {
  const places = [
    ['thousands of tools with long names', 'tools'],
    ['a choice of thousands of tools with long names', 'choice'],
    ['thousands of calls with long ids', 'calls'],
  ] as const
  for (const [what, name] of ofRun(places)) {
    test.each(accounts)(
      `${what} reach an account of %s`,
      async (account) => {
        await using service = await startFor(account)
        const client = clientOf(account)

        const fields = client === 'chat' ? inChat[name] : inGenerate[name]
        const response = await service.ask(client, fields)

        expect(response.status).toBe(200)
      },
      10_000,
    )
  }

  test.each(accounts)(
    'a reply of %s has 1,500 calls with long ids',
    async (account) => {
      await using service = await startFor(account, answerJson(replies[account]))

      const response = await service.ask(clientOf(account))

      expect(response.status).toBe(200)
      expect((await response.text()).match(/"arguments":|"args":/g)).toHaveLength(1_500)
    },
    10_000,
  )
}
