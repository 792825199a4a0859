import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import { ask, receive } from './asking.ts'
import { form } from './forms.ts'
import { openStream, stage } from './scripted.ts'
import { readToldError } from './told-error.ts'

const { chat, generate, messages, responses } = form

const begin = { name: 'write_file', willContinue: true }
const text = (stringValue: string, continues = true) => ({
  partialArgs: [{ jsonPath: '$.text', stringValue, ...(continues && { willContinue: true }) }],
  willContinue: true,
})

/** Pieces of a call that an account does not finish. */
const unfinished: Record<string, readonly object[]> = {
  'a call that only begins': [begin],
  'a call that ends in the middle of a text': [begin, text('rm -rf /tmp')],
  'a call that ends behind a text': [begin, text('rm -rf /tmp/a'), text('', false)],
  'a call whose text has no end': [begin, text('rm -rf /tmp'), {}],
}

const finished: Record<string, readonly object[]> = {
  'an empty piece': [begin, text('rm -rf /tmp/a'), text('', false), {}],
  'a last value': [begin, { partialArgs: [{ jsonPath: '$.text', stringValue: 'rm -rf /tmp/a' }] }],
}

const chunk = (candidate: object) => ({
  candidates: [{ index: 0, ...candidate }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  responseId: 'r1',
})

const contentOf = (pieces: readonly object[]) => ({
  content: { role: 'model', parts: pieces.map((functionCall) => ({ functionCall })) },
})

const frames = (pieces: readonly object[], finishReason: string) =>
  [...pieces.map((piece) => chunk(contentOf([piece]))), chunk({ finishReason })].map(
    (json) => `data: ${JSON.stringify(json)}\n\n`,
  )

const stream = (pieces: readonly object[], finishReason = 'STOP') =>
  stage(generate, (response) => {
    openStream(response, frames(pieces, finishReason))
    response.end()
  })

const clients = [chat, messages, responses]

describe.each(clients)('a $name client of a Gemini account', (client) => {
  test.each(dailyRows(Object.entries(unfinished), clients.indexOf(client)))(
    'does not get %s as a success',
    async (_, pieces) => {
      await using scene = await stream(pieces)

      const { text: got } = await receive(await ask(scene.gateway, client))

      expect(got).not.toMatch(client.success)
      const at = client === chat ? got.indexOf('data: {"error"') : got.indexOf('event: error')
      const tail = got.slice(at).replaceAll(/resp_\w+/g, 'resp_1')
      expect(readToldError(client, tail).status).toBe(502)
      const [line] = await scene.gateway.logged(1)
      expect(line).toMatchObject({ stream_end: 'broken', error_type: 'upstream_stream_broken' })
    },
  )

  test.each(dailyRows(Object.entries(finished), clients.indexOf(client)))(
    'gets a call that ends with %s',
    async (_, pieces) => {
      await using scene = await stream(pieces)

      const { text: got } = await receive(await ask(scene.gateway, client))

      expect(got).toMatch(client.success)
      expect(got).toContain('rm -rf /tmp/a')
    },
  )

  test('gets a call that the limit of tokens cuts, as an incomplete reply', async () => {
    await using scene = await stream(
      unfinished['a call that ends in the middle of a text']!,
      'MAX_TOKENS',
    )

    const { text: got } = await receive(await ask(scene.gateway, client))

    expect(got).toMatch(/"finish_reason":"length"|"stop_reason":"max_tokens"|response\.incomplete/)
  })

  test.each(dailyRows(Object.entries(unfinished), clients.indexOf(client) + 1))(
    'gets %s in one piece as an error',
    async (_, pieces) => {
      await using scene = await stage(generate, (response) => {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(chunk({ ...contentOf(pieces), finishReason: 'STOP' })))
      })

      const response = await ask(scene.gateway, client, { stream: false })

      expect(response.status).toBe(502)
      expect(await response.text()).toContain('a function call without its end')
    },
  )
})

test('a response that ends within a call is not stored', async () => {
  await using scene = await stream([begin, text('rm -rf /tmp')])
  const { text: got } = await receive(await ask(scene.gateway, responses))
  const [id] = /resp_\w+/.exec(got) ?? []

  const { url, key } = scene.gateway
  const found = await fetch(`${url}/v1/responses/${id}`, {
    headers: { authorization: `Bearer ${key}` },
  })

  expect(id).toMatch(/^resp_/)
  expect(found.status).toBe(404)
})

test('a Gemini client gets the bytes of a call without its end as they are', async () => {
  const sent = frames(unfinished['a call that ends in the middle of a text']!, 'STOP')
  await using scene = await stage(generate, (response) => {
    openStream(response, sent)
    response.end()
  })

  const received = await receive(await ask(scene.gateway, generate))

  expect(received).toEqual({ text: sent.join(''), reset: false })
})
