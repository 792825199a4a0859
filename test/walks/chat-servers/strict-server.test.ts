import { expect, test } from 'vitest'

import { answerJson, startFakeAccount } from '../../../src/testing/fake-account.ts'
import { createTestGateway } from '../../../src/testing/gateway.ts'
import { objectionsTo } from '../../agents/model/strict-chat.ts'
import { clients } from '../continuity/clients.ts'

const foreign = clients.filter(({ speaks }) => speaks !== 'chat')

const call = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Bern"}' },
}

const reply = (message: object, finish_reason: string) => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
})

test.for(foreign)('$name finishes its tool loop on a strict chat server', async (client) => {
  const replies = [
    reply({ content: null, tool_calls: [call] }, 'tool_calls'),
    reply({ content: 'done' }, 'stop'),
    reply({ content: 'more' }, 'stop'),
  ]
  await using server = await startFakeAccount((response, request) => {
    const objections = objectionsTo(JSON.parse(request.body.toString()))
    if (objections.length === 0) return answerJson(replies.shift())(response, request)
    const error = { message: objections.join('; ') }
    return answerJson({ error }, { status: 400 })(response, request)
  })
  await using gateway = await createTestGateway({
    accounts: [
      {
        id: 'a',
        provider: 'openai-compatible',
        baseUrl: `${server.url}/v1`,
        models: ['m'],
      },
    ],
  })
  const conversation = client.open({ gateway, model: 'm', stream: false })
  expect((await conversation.ask('How is Bern?')).calls).toHaveLength(1)
  expect((await conversation.answer(['sunny'])).text).toBe('done')
  expect((await conversation.ask('And Rome?')).text).toBe('more')
})
