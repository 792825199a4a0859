import { expect, test } from 'vitest'

import { type DialectName, dialects } from './dialects.ts'
import { startService } from './service.ts'
import { expectAccepted, expectRefused } from './verdict.ts'

const message = { role: 'user', content: 'hi' }
const called = { name: 'f', parameters: {} }

interface Size {
  readonly dialect: DialectName
  readonly field: string
  readonly one: unknown
  readonly least: number
  readonly most: number
}

const sizes: Size[] = [
  { dialect: 'chat', field: 'messages', one: message, least: 1, most: Infinity },
  { dialect: 'chat', field: 'functions', one: called, least: 1, most: 128 },
  { dialect: 'chat', field: 'stop', one: 'x', least: 0, most: 4 },
  { dialect: 'messages', field: 'messages', one: message, least: 1, most: Infinity },
  { dialect: 'messages', field: 'stop_sequences', one: 'x', least: 0, most: 4 },
]

test.each(sizes)('#6 $dialect: $field holds $least to $most items', async (size) => {
  const { dialect, field, one, least, most } = size
  await using service = await startService()
  const items = (count: number) => ({ [field]: Array.from({ length: count }, () => one) })
  await expectAccepted(service, dialect, items(Math.max(1, least)))
  await expectAccepted(service, dialect, items(Math.min(most, 500)))
  if (least > 0) await expectRefused(service, dialect, items(least - 1), field)
  if (most < Infinity) await expectRefused(service, dialect, items(most + 1), field)
  await expectRefused(service, dialect, { [field]: { 0: one } }, field)
  await expectRefused(service, dialect, { [field]: 7 }, field)
})

test.each<[DialectName, object, string]>([
  ['chat', { messages: [] }, '`messages` must be an array with at least 1 item.'],
  ['chat', { functions: [] }, '`functions` must be an array with from 1 to 128 items.'],
  ['generate', { contents: [] }, '`contents` must be an array with at least 1 item.'],
  [
    'messages',
    { stop_sequences: ['a', 'b', 'c', 'd', 'e'] },
    '`stop_sequences` must be an array with at most 4 items.',
  ],
])('%s: who sends %j is told how many there must be', async (dialect, fields, message) => {
  await using service = await startService()
  const body = (await (await service.ask(dialect, fields)).json()) as { error: object }
  expect(body.error).toMatchObject({ message })
})

test('chat: stop is one string as well', async () => {
  await using service = await startService()
  await expectAccepted(service, 'chat', { stop: 'END' })
  await expectAccepted(service, 'chat', { stop: null })
})

test('#6 Gemini has no bound for stop sequences', async () => {
  await using service = await startService()
  const stopSequences = ['a', 'b', 'c', 'd', 'e', 'f']
  await expectAccepted(service, 'generate', { generationConfig: { stopSequences } })
})

const requiredFields: [DialectName, string][] = [
  ['responses', 'model'],
  ['responses', 'input'],
  ['chat', 'model'],
  ['chat', 'messages'],
  ['messages', 'model'],
  ['messages', 'max_tokens'],
  ['messages', 'messages'],
  ['generate', 'contents'],
]

test.each(requiredFields)('%s: %s is required', async (dialect, field) => {
  await using service = await startService()
  expect(Object.keys(dialects[dialect].request)).toContain(field)
  await expectRefused(service, dialect, { [field]: undefined }, field)
  await expectRefused(service, dialect, { [field]: null }, field)
})

test.each(['responses', 'chat', 'messages'] as const)(
  '%s: model says something',
  async (dialect) => {
    await using service = await startService()
    for (const model of ['', ' \t', 7, ['m'], { id: 'm' }, true]) {
      await expectRefused(service, dialect, { model }, 'model')
    }
  },
)

test('responses: a stored prompt may stand for the input', async () => {
  await using service = await startService()
  await expectAccepted(service, 'responses', { input: undefined, prompt: { id: 'pmpt_1' } })
})
