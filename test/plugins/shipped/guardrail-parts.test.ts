import { describe, expect, test } from 'vitest'

import { dailyRows } from '../../daily-rows.ts'
import guardrail from '../../../plugins/guardrail/index.ts'
import { Rules } from '../../../plugins/guardrail/rules.ts'
import { run } from '../../../src/lib/turns.ts'
import { answerJson, startFakeAccount } from '../../../src/testing/index.ts'
import { type DialectName, dialectNames, dialects } from '../../requests/dialects.ts'
import { type Service, answerAnything, startService, useOnly } from '../../requests/service.ts'
import { reply, stage } from '../../third-party/chat.ts'

const word = { name: 'names', pattern: 'nightfall', action: 'refuse' } as const
const mask = { ...word, action: 'mask' } as const

const text = (words: string) => ({ type: 'text', text: words })
const input = (words: string) => ({ type: 'input_text', text: words })
const image = `data:image/png;base64,${'iVBORw0KGgo='.repeat(20)}`

type Write = (parts: readonly string[]) => object

const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
const asked = { role: 'user', content: 'hi' }

/** Where requests have parts of text beside each other. */
const places: Record<DialectName, Record<string, Write>> = {
  chat: {
    'a message': (parts) => ({ messages: [{ role: 'user', content: parts.map(text) }] }),
    'a system message': (parts) => ({
      messages: [{ role: 'system', content: parts.map(text) }, asked],
    }),
    'a result of a tool': (parts) => ({
      messages: [
        asked,
        { role: 'assistant', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: parts.map(text) },
      ],
    }),
  },
  responses: {
    'a message': (parts) => ({ input: [{ role: 'user', content: parts.map(input) }] }),
    'an answer': (parts) => ({
      input: [
        {
          type: 'message',
          role: 'assistant',
          content: parts.map((words) => ({ type: 'output_text', text: words, annotations: [] })),
        },
        asked,
      ],
    }),
    'a result of a tool': (parts) => ({
      input: [
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: parts.map(input) },
      ],
    }),
  },
  messages: {
    'a message': (parts) => ({ messages: [{ role: 'user', content: parts.map(text) }] }),
    'the system text': (parts) => ({ system: parts.map(text), messages: [asked] }),
    'a result of a tool': (parts) => ({
      messages: [
        asked,
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: parts.map(text) }],
        },
      ],
    }),
  },
  generate: {
    'a message': (parts) => ({
      contents: [{ role: 'user', parts: parts.map((words) => ({ text: words })) }],
    }),
    'the system text': (parts) => ({
      systemInstruction: { parts: parts.map((words) => ({ text: words })) },
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    }),
  },
}

const rows = dialectNames.flatMap((client) =>
  Object.entries(places[client]).map(([place, write]) => ({ client, place, write })),
)

async function serve(client: DialectName, rules: Parameters<typeof guardrail>[0]['rules']) {
  const service = await startService({ plugins: [guardrail({ rules })] }, answerAnything)
  useOnly(client, service)
  return service
}

const sentBy = (service: Service) => service.received().body.toString()

describe.each(dailyRows(rows))('in $place of a $client client', ({ client, write }) => {
  test('a word over parts is refused as in one text', async () => {
    await using service = await serve(client, [word])
    for (const parts of [
      ['a night', 'fall b'],
      ['n', 'i', 'g', 'h', 't', '', 'f', 'a', 'l', 'l'],
      ['ｎｉｇｈｔ\u200b', '\u{e0066}all'],
      [`${'x '.repeat(60_000)}night`, `fall${' y'.repeat(60_000)}`],
    ]) {
      const refused = await service.ask(client, write(parts))
      expect([refused.status, await refused.text()]).toEqual([
        422,
        expect.stringContaining('breaks the rule'),
      ])
    }
    expect(service.upstream.requests).toEqual([])
    expect((await service.ask(client, write(['a night', ' fall']))).status).toBe(200)
  })

  test('a word over parts is masked in each of them, and all other bytes stay', async () => {
    await using service = await serve(client, [mask])
    const parts = ['ﬁrst', 'a night', 'fall b', 'ﬂast']
    const body = JSON.stringify({ ...dialects[client].request, ...write(parts) }, null, 1)
    const response = await service.post(client, body)
    expect(response.status, await response.text()).toBe(200)
    expect(sentBy(service)).toBe(
      body.replace('night', '[removed]').replace('fall b', '[removed] b'),
    )
  })

  test('a word that is spelled oddly over parts is masked, and the parts beside them stay', async () => {
    await using service = await serve(client, [mask])
    const parts = ['ﬁrst', 'é ｎｉｇｈｔ', 'f\u200ball é', 'ﬂast']
    const body = JSON.stringify({ ...dialects[client].request, ...write(parts) }, null, 1)
    const response = await service.post(client, body)
    expect(response.status, await response.text()).toBe(200)
    const sent = JSON.parse(sentBy(service)) as object
    const expected = {
      ...dialects[client].request,
      ...write(['ﬁrst', 'é [removed]', '[removed] é', 'ﬂast']),
    }
    expect(sent).toEqual(expected)
  })
})

test('texts with an image between them are two texts', async () => {
  await using service = await serve('chat', [word])
  const url = { type: 'image_url', image_url: { url: image } }
  const messages = [{ role: 'user', content: [text('night'), url, text('fall')] }]
  expect((await service.ask('chat', { messages })).status).toBe(200)
})

test('texts of two messages are two texts', async () => {
  await using service = await serve('chat', [word])
  const messages = [
    { role: 'user', content: 'night' },
    { role: 'user', content: 'fall' },
  ]
  expect((await service.ask('chat', { messages })).status).toBe(200)
})

test('parts without a neutral form, which cannot be masked, refuse the call', async () => {
  await using scene = await stage({ plugins: [guardrail({ rules: [mask] })] }, answerJson(reply))
  const ask = (parts: readonly string[]) =>
    fetch(`${scene.gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${scene.gateway.key}`,
      },
      body: JSON.stringify({
        model: 'm',
        messages: [asked],
        prediction: { type: 'content', content: parts.map(text) },
      }),
    })
  expect((await ask(['a night', 'fall'])).status).toBe(422)
  expect(scene.account.requests).toEqual([])
  expect((await ask(['a night', 'mare'])).status).toBe(200)
})

test('a moderation service gets parts beside each other as one text', async () => {
  const texts: string[] = []
  await using moderation = await startFakeAccount((response, { body }) => {
    texts.push((JSON.parse(body.toString()) as { input: string }).input)
    response.end('{"results":[{"flagged":false}]}')
  })
  const plugins = [guardrail({ moderation: { url: moderation.url } })]
  await using service = await startService({ plugins }, answerAnything)
  const url = { type: 'image_url', image_url: { url: image } }
  const content = [text('make a bo'), text('mb'), url, text('please')]
  await service.ask('chat', { messages: [{ role: 'user', content }] })
  expect(texts).toEqual(['make a bomb\nplease'])
})

test('the items of a stored conversation are masked over parts', async () => {
  const part = (words: string) => ({ type: 'output_text', text: words, annotations: [] })
  const item = (parts: readonly string[]) => ({
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: parts.map(part),
  })
  const list = (parts: readonly string[]) => ({
    object: 'list',
    data: [item(parts)],
    has_more: false,
  })
  const conversation = { id: 'conv_1', object: 'conversation', created_at: 1, metadata: {} }
  await using scene = await stage(
    { plugins: [guardrail({ rules: [mask] })] },
    (response, request) =>
      answerJson(request.method === 'POST' ? conversation : list(['a night', 'fall b']))(
        response,
        request,
      ),
  )
  const headers = { authorization: `Bearer ${scene.gateway.key}` }
  const url = `${scene.gateway.url}/v1/conversations`
  const json = { ...headers, 'content-type': 'application/json' }
  await fetch(url, { method: 'POST', headers: json, body: '{}' })
  const listed = await fetch(`${url}/conv_1/items`, { headers })
  expect(await listed.json()).toEqual(list(['a [removed]', '[removed] b']))
})

/** In characters: that of a window. */
const window = 64 * 1024

describe('rules over many parts', () => {
  const plain = (spelled: string) => spelled.normalize('NFKC').replaceAll('\u200b', '')
  const looking = (setting: object) =>
    new Rules(
      [{ ...mask, ignoreCase: true, replacement: '[x]', in: ['request'], ...setting }],
      'request',
    )

  test('a match is masked at every border of windows and parts, and nothing is lost', () => {
    for (const spelling of ['nightfall', 'ｎｉｇｈｔｆａｌｌ', 'night\u200bfall']) {
      for (let before = window - 12; before <= window + 1; before++) {
        for (const [cut, left, right] of [
          [2, '[x]', '[x]'],
          [spelling.length, '[x]', ''],
        ] as const) {
          const parts = [
            'a '.repeat(before / 2).padEnd(before, ' ') + spelling.slice(0, cut),
            `${spelling.slice(cut)} ${'b'.repeat(window)}`,
          ]
          const [first = '', second = ''] = run(looking({}).applyToParts(parts))
          expect(first).toBe(parts[0]!.slice(0, before) + left)
          expect(second).toBe(`${right} ${'b'.repeat(window)}`)
        }
      }
    }
  })

  test('parts that nothing matches are the same ones, however they are cut', () => {
    const whole = `é${'ab é ﬁ \u{1f600} '.repeat(9_000)}`
    for (const size of [1, 2, 3, 777, window, 2 * window]) {
      const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
        whole.slice(at * size, (at + 1) * size),
      )
      expect(run(looking({}).applyToParts(parts))).toEqual(parts)
    }
  })

  test('any cut of a text is masked as the text is, but for a mask in each part of a match', () => {
    const whole = 'x nightfall y ｎｉｇｈｔｆａｌｌ z é night\u200bfall'.repeat(40)
    for (let seed = 1; seed <= 60; seed++) {
      const parts: string[] = []
      for (let at = 0, step = seed; at < whole.length; at += step % 23) {
        step = (step * 48_271) % 2_147_483_647
        parts.push(whole.slice(at, at + (step % 23)))
      }
      const rules = looking({ replacement: '' })
      expect(plain(run(rules.applyToParts(parts)).join(''))).toBe(plain(run(rules.apply(whole))))
      expect(run(looking({}).applyToParts(parts)).join('')).not.toMatch(/n\W*i\W*g\W*h\W*t/)
    }
  })

  test('the work grows with the text and not with the parts', () => {
    const steps = (parts: readonly string[]) => [...looking({}).applyToParts(parts)].length
    const whole = 'night fall '.repeat(20_000)
    expect(steps(whole.split(''))).toBe(steps([whole]))
  })
})
