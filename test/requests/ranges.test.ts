import { expect, test } from 'vitest'

import type { DialectName } from './dialects.ts'
import { startService } from './service.ts'
import { expectAccepted, expectRefused } from './verdict.ts'

interface Range {
  readonly dialect: DialectName
  readonly field: string
  readonly least: number
  readonly most: number
  readonly integer?: boolean
  /** What the field needs beside it. */
  readonly beside?: object
}

const logprobs = { logprobs: true }

const ranges: Range[] = [
  { dialect: 'responses', field: 'temperature', least: 0, most: 2 },
  { dialect: 'responses', field: 'top_p', least: 0, most: 1 },
  { dialect: 'responses', field: 'top_logprobs', least: 0, most: 20, integer: true },
  { dialect: 'chat', field: 'temperature', least: 0, most: 2 },
  { dialect: 'chat', field: 'top_p', least: 0, most: 1 },
  { dialect: 'chat', field: 'top_logprobs', least: 0, most: 20, integer: true, beside: logprobs },
  { dialect: 'chat', field: 'n', least: 1, most: 128, integer: true },
  { dialect: 'chat', field: 'frequency_penalty', least: -2, most: 2 },
  { dialect: 'chat', field: 'presence_penalty', least: -2, most: 2 },
  { dialect: 'messages', field: 'temperature', least: 0, most: 1 },
  { dialect: 'messages', field: 'top_p', least: 0, most: 1 },
  { dialect: 'messages', field: 'top_k', least: 1, most: Infinity, integer: true },
]

test.each(ranges)('$dialect: $field from $least to $most', async (range) => {
  const { dialect, field, least, most, integer, beside } = range
  await using service = await startService()
  const accept = (value: unknown) => expectAccepted(service, dialect, { ...beside, [field]: value })
  const refuse = (value: unknown) =>
    expectRefused(service, dialect, { ...beside, [field]: value }, field)

  const step = integer ? 1 : 0.001
  await accept(least)
  await accept(least + step)
  await accept(Math.min(most, 1_000_000))
  await accept(null)
  await refuse(least - step)
  if (most < Infinity) await refuse(most + step)
  if (integer) await refuse(least + 0.5)
  await refuse(String(least))
  await refuse([least])
  await refuse(true)
})

test('chat: seed is an integer of 64 bits, about', async () => {
  await using service = await startService()
  const numbers = ['0', '-9223372036854775808', '9223372036854775807', '9223372036854776000']
  for (const text of numbers) {
    const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"seed":${text}}`
    expect((await service.post('chat', body)).status).toBe(200)
    expect(service.received().body.toString()).toBe(body)
  }
  for (const seed of [9_223_372_036_854_800_000, -9_223_372_036_854_800_000, 1.5, '1']) {
    await expectRefused(service, 'chat', { seed }, 'seed')
  }
})

test('chat: top_logprobs needs logprobs', async () => {
  await using service = await startService()
  await expectRefused(service, 'chat', { top_logprobs: 2 }, 'top_logprobs')
  await expectRefused(service, 'chat', { top_logprobs: 2, logprobs: false }, 'top_logprobs')
})

test('chat: logit_bias values from -100 to 100', async () => {
  await using service = await startService()
  await expectAccepted(service, 'chat', { logit_bias: { 50256: -100, 11: 100, 12: 0.5 } })
  await expectAccepted(service, 'chat', { logit_bias: {} })
  await expectAccepted(service, 'chat', { logit_bias: null })
  for (const value of [-100.5, 101, '1', null]) {
    await expectRefused(service, 'chat', { logit_bias: { 1: 0, 2: value } }, 'logit_bias')
  }
  await expectRefused(service, 'chat', { logit_bias: [1] }, 'logit_bias')
})
