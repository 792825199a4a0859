import { describe, expect, test } from 'vitest'

import {
  answerJson,
  answerStream,
  type FakeAccount,
  startFakeAccount,
} from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { guardrail } from '../events/guardrails.ts'
import { clients } from '../continuity/clients.ts'

const text = {
  type: 'reasoning.text',
  text: 'deep thought',
  signature: 'SIG',
  format: 'anthropic-claude-v1',
  index: 0,
}
const encrypted = (id: string) => ({
  type: 'reasoning.encrypted',
  data: `ENC ${id}`,
  id,
  format: 'google-gemini-v1',
  index: 1,
})
const details = [text, encrypted('call_1'), encrypted('call_2')]

const call = (index: number) => ({
  index,
  id: `call_${index + 1}`,
  type: 'function',
  function: { name: 'weather', arguments: '{}' },
})
const calls = [call(0), call(1)]

const head = { id: 'c1', created: 1, model: 'm' }
const usage = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 }

const whole = (message: object, reason: string) => ({
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }],
  usage,
})

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })}\n\n`

const first = whole(
  { content: '', reasoning: 'deep thought', reasoning_details: details, tool_calls: calls },
  'tool_calls',
)

const { signature: _, ...unsigned } = text

/** The same with fragments of the text, a signature at its end, and details beside their calls. */
const firstChunks = [
  chunk({ reasoning: 'deep ', reasoning_details: [{ ...unsigned, text: 'deep ' }] }),
  chunk({ reasoning: 'thought', reasoning_details: [{ ...unsigned, text: 'thought' }] }),
  chunk({ content: '', reasoning_details: [{ ...unsigned, text: '', signature: 'SIG' }] }),
  chunk({ tool_calls: [call(0)], reasoning_details: [encrypted('call_1')] }),
  chunk({ tool_calls: [call(1)] }),
  chunk({ content: '', reasoning_details: [encrypted('call_2')] }, 'tool_calls'),
  'data: [DONE]\n\n',
]

const lastChunks = [chunk({ content: 'done' }, 'stop'), 'data: [DONE]\n\n']

/** A server that first thinks and calls, then answers. */
function thinking(stream: boolean): Promise<FakeAccount> {
  let asked = 0
  return startFakeAccount((response, request) => {
    const isFirst = asked++ === 0
    const reply = isFirst ? first : whole({ content: 'done' }, 'stop')
    const answer = stream ? answerStream(isFirst ? firstChunks : lastChunks) : answerJson(reply)
    return answer(response, request)
  })
}

const at = (server: FakeAccount, id = 'a', models = ['m']) => ({
  id,
  provider: 'openai-compatible',
  baseUrl: `${server.url}/v1`,
  speaks: ['chat'],
  models,
})

/** The assistant messages of the last request. */
function answersAt(server: FakeAccount) {
  const { messages } = JSON.parse(server.requests.at(-1)!.body.toString())
  return messages.filter(({ role }: { role: string }) => role === 'assistant')
}

const ways = clients
  .filter(({ speaks }) => speaks !== 'chat')
  .flatMap((client) => [false, true].map((stream) => ({ client, stream, name: client.name })))

describe.for(ways)('$name, streamed $stream', ({ client, stream }) => {
  test('details of reasoning go back unchanged and in order', async () => {
    await using server = await thinking(stream)
    await using gateway = await createTestGateway({ accounts: [at(server)] })
    const conversation = client.open({ gateway, model: 'm', stream })
    expect((await conversation.ask('Hi')).calls).toHaveLength(2)
    await conversation.answer(['one', 'two'])
    expect(answersAt(server)).toMatchObject([
      { reasoning: 'deep thought', reasoning_details: details, tool_calls: [{}, {}] },
    ])
  })

  test('details of reasoning never go to a server of another provider', async () => {
    await using server = await thinking(stream)
    await using other = await thinking(stream)
    await using gateway = await createTestGateway({
      accounts: [at(server), at(other, 'b', ['n'])],
    })
    const where = { gateway, model: 'm', stream }
    const conversation = client.open(where)
    await conversation.ask('Hi')
    where.model = 'n'
    await conversation.answer(['one', 'two'])
    expect(answersAt(other)).toHaveLength(1)
    expect(other.requests[0]!.body.toString()).not.toMatch(/"reasoning"|details|SIG|ENC|gw1/)
  })
})

test.each([false, true])('they go back in a chain of responses, streamed %s', async (stream) => {
  await using server = await thinking(stream)
  await using gateway = await createTestGateway({ accounts: [at(server)] })
  const respond = async (fields: object) => {
    const response = await fetch(`${gateway.url}/v1/responses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream, ...fields }),
    })
    return response.text()
  }
  const id = /resp_\w+/.exec(await respond({ input: 'Hi' }))?.[0]
  const results = ['call_1', 'call_2'].map((call_id) => ({
    type: 'function_call_output',
    call_id,
    output: 'x',
  }))
  await respond({ input: results, previous_response_id: id })
  expect(answersAt(server)).toMatchObject([
    { reasoning: 'deep thought', reasoning_details: details },
  ])
})

test('details without any text of reasoning, and after an answer, go back, too', async () => {
  const message = { content: 'Yes.', reasoning_details: [encrypted('x')] }
  await using server = await startFakeAccount(answerJson(whole(message, 'stop')))
  await using gateway = await createTestGateway({ accounts: [at(server)] })
  const client = clients.find(({ speaks }) => speaks === 'messages')!
  const conversation = client.open({ gateway, model: 'm', stream: false })
  await conversation.ask('Hi')
  await conversation.ask('And?')
  expect(answersAt(server)).toEqual([{ role: 'assistant', ...message }])
})

test.each([false, true])(
  'a chat client reads them behind a plugin that maps its reply, streamed %s',
  async (stream) => {
    await using server = await thinking(stream)
    const plugins = [guardrail((event, emit) => emit(event))]
    await using gateway = await createTestGateway({ accounts: [at(server)], plugins })
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    const reply = await response.text()
    const lists = [...reply.matchAll(/"reasoning_details":(\[.*?\])/g)].map(([, list]) => list!)
    expect(lists.flatMap((list) => JSON.parse(list))).toEqual(details)
    expect(reply).not.toContain('extra_content')
  },
)
