import { gzipSync } from 'node:zlib'

import { describe, expect, test } from 'vitest'

import guardrail from '../../../plugins/guardrail/index.ts'
import { audioFile, audioStage, paths } from '../../walks/audio/stage.ts'
import { passthroughStage } from '../../walks/passthrough/stage.ts'

const card = { name: 'card numbers', pattern: '\\d{4}( \\d{4}){3}', action: 'mask' } as const
const number = '4111 1111 1111 1111'
const plugins = [guardrail({ rules: [card] })]

describe('audio', () => {
  const model = `sandbox/text=${encodeURIComponent(number)}`

  test('a text that a rule refuses is not spoken', async () => {
    await using stage = await audioStage({ plugins })
    const body = { model: 'tts-1', input: `Say ${number}`, voice: 'alloy' }
    expect((await stage.json(body, paths.speech)).status).toBe(422)
    expect(stage.sandbox.requests).toEqual([])
    const plain = await stage.json({ ...body, input: 'Say it' }, paths.speech)
    expect((await plain.arrayBuffer()).byteLength).toBeGreaterThan(0)
  })

  test.each(['json', 'text'])('a transcription in %s is masked', async (format) => {
    await using stage = await audioStage({ plugins })
    const response = await stage.form(
      [
        ['file', audioFile()],
        ['model', model],
        ['response_format', format],
      ],
      paths.transcriptions,
    )
    const text = await response.text()
    expect([response.status, text]).toEqual([200, expect.stringContaining('[removed]')])
    expect(text).not.toContain(number)
  })

  test('a stream of a transcription cannot be looked at', async () => {
    await using stage = await audioStage({ plugins })
    const response = await stage.form(
      [
        ['file', audioFile()],
        ['model', model],
        ['stream', 'true'],
      ],
      paths.transcriptions,
    )
    expect(response.status).toBe(422)
    expect(await response.text()).not.toContain(number)
  })
})

describe('a body that passes to an account', () => {
  const path = '/v1/vector_stores'
  const form = new FormData()
  form.append('name', number)
  form.append('file', new File([new Uint8Array(2_000_000)], 'a.bin'))

  test.each<[string, RequestInit]>([
    ['JSON with a match', { body: JSON.stringify({ a: [{ b: number }] }) }],
    ['a text with a match', { body: `x ${number}` }],
    ['JSON of another type', { body: `{"a":"${number}"}`, headers: { 'content-type': 'a/b' } }],
    ['a form with a match', { body: form }],
    ['what is too large to look at', { body: 'x'.repeat(1024 * 1024 + 1) }],
    ['what is no text', { body: Buffer.from([0xff, 0xfe]) }],
    ['a compressed text', { body: gzipSync(number), headers: { 'content-encoding': 'gzip' } }],
  ])('is refused: %s', async (_, init) => {
    await using stage = await passthroughStage(undefined, { plugins })
    expect((await stage.ask(path, { method: 'POST', ...init })).status).toBe(422)
    expect(stage.account.requests).toEqual([])
  })

  test('passes without a match', async () => {
    await using stage = await passthroughStage(undefined, { plugins })
    const body = '{ "name": "x" }'
    expect((await stage.ask(path, { method: 'POST', body })).status).toBe(200)
    expect(String(stage.account.requests[0]?.body)).toBe(body)
    expect((await stage.ask(path)).status).toBe(200)
  })
})
