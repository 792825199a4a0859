import { describe, expect, test } from 'vitest'

import { answerJson } from '../../src/testing/fake-account.ts'
import { refusing, serving } from '../walks/failover/pool.ts'
import type { Asking } from '../walks/streams/asking.ts'
import { type Form, form } from '../walks/streams/forms.ts'
import { nearlyAlways, startPair } from './pair.ts'

const { responses, chat, messages, generate } = form

const sessions = ['session-id', 'x-session-affinity', 'x-claude-code-session-id']
const sessionForms = [responses, chat, messages, generate]

const claudeCodeUser = JSON.stringify({ device_id: 'd', account_uuid: '', session_id: 's-1' })

const likes: readonly { what: string; of: Form; asking: Asking; rule: string }[] = [
  {
    what: 'a prompt_cache_key of chat',
    of: chat,
    asking: { fields: { prompt_cache_key: 'notes' } },
    rule: 'affinity: prompt_cache_key',
  },
  {
    what: 'a prompt_cache_key of responses',
    of: responses,
    asking: { fields: { prompt_cache_key: 'notes' } },
    rule: 'affinity: prompt_cache_key',
  },
  {
    what: 'a metadata.user_id of messages',
    of: messages,
    asking: { fields: { metadata: { user_id: claudeCodeUser } } },
    rule: 'affinity: session',
  },
  ...sessionForms.flatMap((of) =>
    sessions.map((name) => ({
      what: `the header ${name} of ${of.name}`,
      of,
      asking: { headers: { [name]: 'session-1' } },
      rule: 'affinity: session',
    })),
  ),
]

describe.concurrent('a client that sends', () => {
  test.each(likes)('$what stays with the account that served it', async ({ of, asking, rule }) => {
    await using pair = await startPair(of, { b: { weight: nearlyAlways } })
    pair.b.script = refusing(500)
    expect(await pair.ask(asking)).toMatchObject({ status: 200, account: 'a' })
    pair.b.script = serving(of)

    expect(await pair.ask(asking)).toMatchObject({ status: 200, account: 'a' })

    expect(await pair.ask()).toMatchObject({ status: 200, account: 'b' })
    const lines = await pair.gateway.logged(3)
    expect(lines.map((line) => line['route_rule'])).toEqual([
      'priority and weight',
      rule,
      'priority and weight',
    ])
  })
})

test('a client that streams stays with its account as well', async () => {
  await using pair = await startPair(chat, { b: { weight: nearlyAlways } })
  const asking = { fields: { prompt_cache_key: 'notes' } }
  pair.b.script = refusing(500)
  const stream = await fetch(`${pair.gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${pair.gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...chat.body('m', true), ...asking.fields }),
  })
  await stream.text()
  pair.b.script = serving(chat)

  expect(await pair.ask(asking)).toMatchObject({ account: 'a' })
})

test('the more telling of two likes decides', async () => {
  await using pair = await startPair(chat, { b: { weight: nearlyAlways } })
  const cached = { fields: { prompt_cache_key: 'notes' } }
  const session = { headers: { 'session-id': 'session-1' } }
  expect(await pair.ask(session)).toMatchObject({ account: 'b' })
  pair.b.script = refusing(500)
  expect(await pair.ask(cached)).toMatchObject({ account: 'a' })
  pair.b.script = serving(chat)

  expect(await pair.ask({ ...cached, ...session })).toMatchObject({ account: 'a' })
})

test('an item that is replayed leads to the account that made it', async () => {
  await using pair = await startPair(responses, { b: { weight: nearlyAlways } })
  const madeByA = { ...item, id: 'msg_of_a' }
  pair.a.script = answerJson({ ...responses.reply, output: [madeByA] })
  pair.b.script = refusing(500)
  expect(await pair.ask()).toMatchObject({ account: 'a' })
  pair.b.script = serving(responses)

  const replay = (items: object[]) => pair.ask({ fields: { input: [hello, ...items, hello] } })

  expect(await replay([madeByA])).toMatchObject({ status: 200, account: 'a' })
  expect(await replay([{ ...item, id: 'msg_of_nobody' }])).toMatchObject({ account: 'b' })
  expect((await pair.gateway.logged(3))[1]).toMatchObject({ route_rule: 'affinity: item id' })
})

const hello = { role: 'user', content: 'hello' }
const item = {
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hello there', annotations: [] }],
}
