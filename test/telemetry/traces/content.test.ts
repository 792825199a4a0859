import { expect, test } from 'vitest'

import type { Attempt, Progress } from '../../../src/contract/exchange.ts'
import { hideSecrets } from '../../../src/kit/secrets/exchange-texts.ts'
import { serving, startPool } from '../../walks/failover/pool.ts'
import { ask } from '../../walks/streams/asking.ts'
import { forms } from '../../walks/streams/forms.ts'
import { startCollector } from './collector.ts'
import { tracedStage } from './stage.ts'
import { spanOf, wholeTrace } from './whole.ts'

const path = '/v1/chat/completions'
const key = 'sk-proj-1234567890abcdefghij'
const body = {
  model: 'sandbox/echo',
  messages: [
    { role: 'system', content: 'be brief' },
    { role: 'user', content: `my key is ${key}, yours is test-secret or sandbox-key-a` },
  ],
  tools: [{ type: 'function', function: { name: 'look_up', description: 'looks up' } }],
}

test('a span has no content unless the configuration says so', async () => {
  await using stage = await tracedStage()
  const reply = await stage.ask(path, body)
  await reply.text()
  const { attributes } = spanOf(await stage.traceOf(reply), 'chat')
  expect(Object.keys(attributes).filter((name) => /messages|instructions|tool/.test(name))).toEqual(
    [],
  )
  expect(stage.collector.bytes.includes('be brief')).toBe(false)
})

test('with `content` a span has what was asked and answered, and no key in it', async () => {
  await using stage = await tracedStage({ traces: { content: true } })
  const replies = [await stage.ask(path, body), await stage.ask(path, { ...body, stream: true })]
  for (const reply of replies) await reply.text()
  for (const reply of replies) {
    const { attributes } = spanOf(await stage.traceOf(reply), 'chat')
    const read = (name: string) => JSON.parse(String(attributes[name])) as unknown
    expect(read('gen_ai.system_instructions')).toEqual([{ type: 'text', content: 'be brief' }])
    const content = 'my key is [secret], yours is [secret] or [secret]'
    const asked = { role: 'user', parts: [{ type: 'text', content }] }
    expect(read('gen_ai.input.messages')).toEqual([asked])
    const tool = { type: 'function', name: 'look_up', description: 'looks up' }
    expect(read('gen_ai.tool.definitions')).toEqual([tool])
    expect(read('gen_ai.output.messages')).toMatchObject([
      {
        role: 'assistant',
        parts: [{ type: 'text', content: expect.stringContaining('my key is') }],
      },
    ])
  }
  for (const secret of [key, 'test-secret', 'sandbox-key-a']) {
    expect(stage.collector.bytes.includes(secret), secret).toBe(false)
  }
})

test.each(forms.filter(({ name }) => name !== 'generate-array'))(
  'the content of a $name call is in the words of the conventions',
  async (form) => {
    await using collector = await startCollector()
    const pool = await startPool(
      form,
      { a: serving(form) },
      { telemetry: { traces: { endpoint: collector.url, content: true } } },
    )
    const replies = [
      await ask(pool.gateway, form, { stream: false }),
      await ask(pool.gateway, form),
    ]
    for (const reply of replies) await reply.text()
    await pool[Symbol.asyncDispose]()
    for (const { headers } of replies) {
      const spans = wholeTrace(collector.spans, headers.get('x-trace-id'))
      const { attributes } = spans.find(({ attributes: all }) => all['gen_ai.operation.name'])!
      const part = (content: string) => [{ type: 'text', content }]
      expect(JSON.parse(String(attributes['gen_ai.input.messages']))).toEqual([
        { role: 'user', parts: part('hello') },
      ])
      expect(JSON.parse(String(attributes['gen_ai.output.messages']))).toEqual([
        { role: 'assistant', parts: part(expect.stringMatching(/^Hello there\.?$/) as string) },
      ])
    }
  },
)

test('content is bounded, however much is said', async () => {
  await using stage = await tracedStage({ traces: { content: true } })
  const long = 'x'.repeat(100_000)
  const many = Array.from({ length: 1_000 }, () => ({ role: 'user', content: 'y' }))
  const replies = [
    await stage.ask(path, { ...body, messages: [{ role: 'user', content: long }] }),
    await stage.ask(path, { ...body, messages: many, stream: true }),
    await stage.ask(path, { ...body, model: 'sandbox/words=3000', stream: true }),
  ]
  for (const reply of replies) await reply.text()
  for (const reply of replies) {
    const { attributes } = spanOf(await stage.traceOf(reply), 'chat')
    const texts = Object.entries(attributes).filter(([name]) => name.endsWith('messages'))
    expect(texts.length).toBeGreaterThan(0)
    for (const [, text] of texts) expect(String(text).length).toBeLessThan(12_000)
  }
})

test.each([
  ['sk-ant-api03-abcdefghijklmnop'],
  ['AIzaSyA1234567890abcdefghijklmnop'],
  ['AKIAIOSFODNN7EXAMPLE'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
  ['authorization: Bearer abcdefgh12345678', 'abcdefgh12345678'],
  ['password = hunter2hunter2', 'hunter2hunter2'],
  ['"api_key": "0123456789abcdef"', '0123456789abcdef'],
  ['postgres://me:hunter2@db/x', 'hunter2'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----', 'MIIE'],
])('%s does not stay in a text', (text, secret = text) => {
  const progress = { former: [] as readonly Attempt[] } as Progress
  const clean = hideSecrets(`before ${text} after`, { credential: undefined, progress })
  expect(clean).toMatch(/^before .*\[secret\].* after$/s)
  expect(clean).not.toContain(secret)
})

test.each([
  ['as it is', 'one/"two"-three'],
  ['in JSON', String.raw`one/\"two\"-three`],
  ['in JSON with escaped slashes', String.raw`one\/\"two\"-three`],
  ['percent-encoded', 'one%2F%22two%22-three'],
  ['percent-encoded twice', 'one%252F%2522two%2522-three'],
])('the key of the caller does not stay in a text %s', (_, spelling) => {
  const exchange = { credential: 'one/"two"-three', progress: {} }
  expect(hideSecrets(`before ${spelling} after`, exchange)).toBe('before [secret] after')
})

test('words that only begin like secrets do not hold up the process', () => {
  const text = '-eyJ'.repeat(100_000)
  const progress = { former: [] as readonly Attempt[] } as Progress
  expect(hideSecrets(text, { credential: undefined, progress })).toHaveLength(text.length)
}, 5_000)
