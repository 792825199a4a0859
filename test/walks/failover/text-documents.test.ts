import { afterEach, expect, test, vi } from 'vitest'

import { Declined } from '../../../src/contract/attempt.ts'
import { definePlugin } from '../../../src/contract/plugin.ts'
import { until } from '../../../src/testing/until.ts'
import { form } from '../streams/forms.ts'
import { type Pool, callsTo, refusing, serving, startPool } from './pool.ts'

/** A document in a charset that accounts of another dialect get as text. */
function documentOf(bytes: number[]) {
  const file_data = `data:text/plain;charset=euc-jp;base64,${Buffer.from(bytes).toString('base64')}`
  return { role: 'user', content: [{ type: 'file', file: { file_data } }] }
}

const kanji = documentOf([0xc6, 0xfc, 0xcb, 0xdc])
const noText = documentOf([0xc6, 0xff])

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

/** Counts how often a document in EUC-JP is begun to be read. */
function countReadings(): () => number {
  const decode = vi.spyOn(TextDecoder.prototype, 'decode')
  return () =>
    decode.mock.contexts.filter(
      (decoder, at) =>
        (decoder as TextDecoder).encoding === 'euc-jp' && decode.mock.calls[at]?.[0] !== undefined,
    ).length
}

afterEach(() => void vi.restoreAllMocks())

const { messages } = form
const pair = { a: serving(messages), b: serving(messages), c: serving(messages) }

test('a document that is no text is read once, however many accounts need it as text', async () => {
  await using pool = await startPool(messages, pair)
  const readings = countReadings()
  const refused = await ask(pool, noText)
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain('no text of the charset euc-jp')
  expect(readings()).toBe(1)
  expect(Object.values(pool.accounts).flatMap(callsTo)).toEqual([])
})

test('the account after a failed one gets the text that has been read', async () => {
  await using pool = await startPool(messages, { a: refusing(503), b: serving(messages) })
  const readings = countReadings()
  expect((await ask(pool, kanji)).status).toBe(200)
  expect(readings()).toBe(1)
  const sent = callsTo(pool.accounts.b).map(({ body }) => body.toString())
  expect(sent).toEqual([expect.stringContaining('日本')])
})

test('accounts that count tokens share the text, too', async () => {
  const generate = form.generate
  await using pool = await startPool(generate, { a: refusing(503), b: refusing(503) })
  const readings = countReadings()
  const counted = await fetch(`${pool.gateway.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: {
      ...messages.headers,
      'x-api-key': pool.gateway.key,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: {
                type: 'base64',
                media_type: 'text/plain;charset=euc-jp',
                data: Buffer.from([0xc6, 0xfc]).toString('base64'),
              },
            },
          ],
        },
      ],
    }),
  })
  expect(counted.status).toBeGreaterThanOrEqual(500)
  expect(Object.values(pool.accounts).flatMap(callsTo)).toHaveLength(2)
  expect(readings()).toBe(1)
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
