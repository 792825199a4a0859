import { describe, expect, test } from 'vitest'

import { dialects as clientDialects } from '../../requests/dialects.ts'
import { historyIn, resultsByCall } from './history.ts'
import { dialects, type Spoken, startStage } from './stage.ts'

/** What clients call the calls in the histories that they bring along. */
const ids = [`call_${'x'.repeat(100)}a`, `call_${'x'.repeat(100)}b`, 'functions.f:0', 'ä "/" 1']

const input = '{"city":"Bern"}'
const tool = { name: 'weather', description: 'Tells.', parameters: { type: 'object' } }
const resultOf = (id: string) => `result ${ids.indexOf(id)}`
const reversed = ids.toReversed()

/** Histories with parallel calls of one name, whose results come the other way round. */
const histories: { readonly [spoken in Spoken]: object } = {
  chat: {
    messages: [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        tool_calls: ids.map((id) => {
          return { id, type: 'function', function: { name: 'weather', arguments: input } }
        }),
      },
      ...reversed.map((id) => ({ role: 'tool', tool_call_id: id, content: resultOf(id) })),
    ],
    tools: [{ type: 'function', function: tool }],
  },
  messages: {
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: ids.map((id) => ({ type: 'tool_use', id, name: 'weather', input: {} })),
      },
      {
        role: 'user',
        content: reversed.map((id) => {
          return { type: 'tool_result', tool_use_id: id, content: resultOf(id) }
        }),
      },
    ],
    tools: [{ name: 'weather', input_schema: { type: 'object' } }],
  },
  responses: {
    input: [
      { role: 'user', content: 'q' },
      ...ids.map((call_id) => {
        return { type: 'function_call', call_id, name: 'weather', arguments: input }
      }),
      ...reversed.map((call_id) => {
        return { type: 'function_call_output', call_id, output: resultOf(call_id) }
      }),
    ],
    tools: [{ type: 'function', strict: false, ...tool }],
  },
  generate: {
    contents: [
      { role: 'user', parts: [{ text: 'q' }] },
      { role: 'model', parts: ids.map((id) => ({ functionCall: { id, name: 'weather' } })) },
      {
        role: 'user',
        parts: reversed.map((id) => {
          return { functionResponse: { id, name: 'weather', response: { output: resultOf(id) } } }
        }),
      },
    ],
    tools: [{ functionDeclarations: [tool] }],
  },
}

const ways = dialects.flatMap((client) =>
  dialects.filter((account) => account !== client).map((account) => ({ client, account })),
)

describe.for(ways)('$client client, account of $account', ({ client, account }) => {
  test('calls have ids that the account takes, and results find them', async () => {
    await using stage = await startStage(account)
    const { path, credential, request } = clientDialects[client]
    const response = await fetch(stage.gateway.url + path, {
      method: 'POST',
      headers: credential(stage.gateway.key),
      body: JSON.stringify({ ...request, ...histories[client] }),
    })
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 })

    const history = historyIn(account, stage.asked()[0]!.json)
    expect(new Set(history.calls).size).toBe(4)
    expect(resultsByCall(history)).toEqual(['result 0', 'result 1', 'result 2', 'result 3'])
    for (const id of history.calls) expect(id).toMatch(/^[A-Za-z0-9_-]{1,40}$/)
  })
})
