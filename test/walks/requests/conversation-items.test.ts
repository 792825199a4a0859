import { describe, expect, test } from 'vitest'

import { GatewayError } from '../../../src/contract/errors.ts'
import type { GatewayPlugin } from '../../../src/contract/plugin.ts'
import { answerJson } from '../../../src/testing/fake-account.ts'
import { type Mixed, startMixed } from '../losses/mixed.ts'
import { ask } from '../streams/asking.ts'
import { form } from '../streams/forms.ts'
import { changing, clock, instructing, masking, offering } from './changers.ts'

const paths = ['/v1/conversations', '/v1/conversations/{id}/items']

const conversation = { id: 'conv_1', object: 'conversation', created_at: 1, metadata: {} }

/** An account that stores conversations, in front of which a client has one already. */
async function startStoring(plugins: GatewayPlugin[], losses?: 'reject') {
  const script = answerJson(conversation)
  const mixed = await startMixed(
    { a: { form: form.responses, script } },
    { plugins, ...(losses && { losses }) },
  )
  await send(mixed, '/v1/conversations')
  return mixed
}

async function send({ gateway }: Mixed<'a'>, path: string, body = '{}'): Promise<Response> {
  return fetch(gateway.url + path.replace('{id}', 'conv_1'), {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body,
  })
}

const odd = `{ "x_future":12345678901234567890, "items":[ {"role":"user","x":1.0,
  "content":[{"type":"input_text", "text":"a secret"}]},{"type":"computer_call","n":1.50}] }`

describe.each(paths)('items that a client adds by POST %s', (path) => {
  test('are changed by a plugin where they stand, and all else stays', async () => {
    await using mixed = await startStoring([masking('secret')])
    const response = await send(mixed, path, odd)

    expect(response.status).toBe(200)
    expect(response.headers.get('x-dragoman-losses')).toBeNull()
    const sent = mixed.accounts.a.requests.at(-1)?.body.toString()
    expect(sent).toBe(odd.replace('a secret', 'a [hidden]'))
  })

  test('are refused by a plugin in its own words', async () => {
    const refusing = changing(({ turns }) => {
      throw new GatewayError('plugin_rejected', `No ${turns.length} cards, please.`)
    })
    await using mixed = await startStoring([refusing])
    const response = await send(mixed, path, '{"items":[{"role":"user","content":"4111"}]}')

    expect(response.status).toBe(422)
    expect(await response.text()).toContain('No 1 cards, please.')
    expect(mixed.accounts.a.requests).toHaveLength(1)
  })

  test('get the turns that a plugin adds, and calls and results stay apart', async () => {
    await using mixed = await startStoring([instructing('Be brief.')])
    const items = [
      { type: 'function_call_output', call_id: 'call_1', output: 'warm' },
      { type: 'function_call', call_id: 'call_2', name: 'f', arguments: '{}' },
    ]
    await send(mixed, path, JSON.stringify({ items, metadata: { a: 'b' } }))

    const sent = mixed.accounts.a.requests.at(-1)?.body.toString() ?? ''
    const rule = {
      type: 'message',
      role: 'system',
      content: [{ type: 'input_text', text: 'Be brief.' }],
    }
    expect(JSON.parse(sent)).toEqual({ items: [rule, ...items], metadata: { a: 'b' } })
  })

  test('lose nothing by what a plugin sets besides: a response has it later', async () => {
    const setting = changing((request) => ({ ...request, sampling: { topK: 1 } }), 'setting')
    await using mixed = await startStoring([setting, offering(clock)], 'reject')
    const body = '{"items":[{"role":"user","content":"hello"}]}'
    const response = await send(mixed, path, body)

    expect(response.status).toBe(200)
    expect(mixed.accounts.a.requests.at(-1)?.body.toString()).toBe(body)
  })

  test('that no codec reads are refused with their names', async () => {
    await using mixed = await startStoring([masking('secret')])
    const body = '{"items":[{"type":"function_call","name":"f","arguments":""}]}'
    const response = await send(mixed, path, body)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { param: 'items[0].call_id' } })
  })
})

test('a plugin is not asked about a conversation without items', async () => {
  let runs = 0
  const counting = changing((request) => {
    runs++
    return request
  })
  await using _mixed = await startStoring([counting])

  expect(runs).toBe(0)
})

test('a conversation of the gateway has the changed items, and so has the account', async () => {
  await using mixed = await startMixed({ a: { form: form.chat } }, { plugins: [masking('secret')] })
  const created = await send(
    mixed,
    '/v1/conversations',
    '{"items":[{"role":"user","content":"one secret"}]}',
  )
  const { id } = (await created.json()) as { id: string }
  const added = await send(
    mixed,
    `/v1/conversations/${id}/items`,
    '{"items":[{"role":"user","content":"two secret"}]}',
  )
  expect(await added.text()).toContain('two [hidden]')
  const fields = { input: 'go on', conversation: id }
  const response = await ask(mixed.gateway, form.responses, { stream: false, fields })

  expect(response.status).toBe(200)
  const sent = mixed.accounts.a.requests.at(-1)?.body.toString()
  expect(sent).toContain('one [hidden]')
  expect(sent).toContain('two [hidden]')
  expect(sent).not.toContain('secret')
})
