import { expect, test } from 'vitest'

import { Declined } from '../../../src/contract/attempt.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { until } from '../../../src/testing/until.ts'
import { form } from '../streams/forms.ts'
import { type Pool, callsTo, refusing, serving, startPool } from './pool.ts'

/** A document in a charset that accounts of another dialect get as text. */
function documentOf(bytes: number[] | Buffer) {
  const file_data = `data:text/plain;charset=euc-jp;base64,${Buffer.from(bytes).toString('base64')}`
  return { role: 'user', content: [{ type: 'file', file: { file_data } }] }
}

const kanji = documentOf([0xc6, 0xfc, 0xcb, 0xdc])
const noText = documentOf([0xc6, 0xff])
const large = documentOf(Buffer.alloc(9 * 1024 * 1024, 'a'))

function ask(
  { gateway }: Pick<Pool<string>, 'gateway'>,
  message: object,
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', messages: [message] }),
    ...(signal && { signal }),
  })
}

const { messages } = form
const pair = { a: serving(messages), b: serving(messages), c: serving(messages) }

test.each([
  ['that is no text of its charset', noText, 400, 'no text of the charset euc-jp'],
  ['of more than 8 MiB', large, 400, 'larger than 8 MiB together: send them as text'],
])('a document %s reaches no account that needs it as text', async (_, message, status, words) => {
  await using pool = await startPool(messages, pair)
  const refused = await ask(pool, message)
  expect([refused.status, await refused.text()]).toEqual([status, expect.stringContaining(words)])
  expect(Object.values(pool.accounts).flatMap(callsTo)).toEqual([])
})

test('the account after a failed one gets the text, too', async () => {
  await using pool = await startPool(messages, { a: refusing(503), b: serving(messages) })
  expect((await ask(pool, kanji)).status).toBe(200)
  const sent = callsTo(pool.accounts.b).map(({ body }) => body.toString())
  expect(sent).toEqual([expect.stringContaining('日本')])
})

test('no further account is asked to plan for a client that has left', async () => {
  const client = new AbortController()
  let planned = 0
  const declining = definePlugin({
    name: 'declining',
    async onAttempt({ exchange }) {
      planned++
      client.abort()
      await until(() => exchange.client.gone)
      throw new Declined('declining', 'it does not like this request')
    },
  })
  await using pool = await startPool(messages, pair, { plugins: [declining] })
  await expect(ask(pool, kanji, client.signal)).rejects.toThrow('aborted')
  await until(() => pool.gateway.accessLog.length > 0)
  expect(planned).toBe(1)
})

test("a document that is too large is the client's error where a plugin changes the call", async () => {
  const naming = definePlugin({
    name: 'naming',
    onRequest: ({ request }) => ({ ...request, endUser: 'u', metadata: { a: 'b' } }),
  })
  const chat = form.chat
  await using pool = await startPool(chat, { a: serving(chat) }, { plugins: [naming] })
  expect((await ask(pool, kanji)).status).toBe(200)
  const refused = await ask(pool, large)
  expect([refused.status, await refused.text()]).toEqual([
    413,
    expect.stringContaining('larger than 8 MiB together'),
  ])
})
