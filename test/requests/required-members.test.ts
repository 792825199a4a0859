import { expect, test } from 'vitest'

import type { DialectName } from './dialects.ts'
import { startService } from './service.ts'
import { expectAccepted, expectRefused } from './verdict.ts'

/** Beside the fields that the contract names, those that SDKs send. */
const fields: [DialectName, string, good: unknown, bad: unknown][] = [
  ['responses', 'background', true, 'yes'],
  ['generate', 'generation_config', { candidate_count: 1 }, [1]],
]

test.each(fields)('%s: %s is of its type', async (dialect, field, good, bad) => {
  await using service = await startService()
  await expectAccepted(service, dialect, { [field]: good })
  await expectRefused(service, dialect, { [field]: bad }, field)
})

test('generate: contents hold something', async () => {
  await using service = await startService()
  const count = { path: '/v1beta/models/m:countTokens' }
  await expectRefused(service, 'generate', { contents: [] }, 'contents')
  await expectRefused(service, 'generate', { contents: [] }, 'contents', count)
  await expectRefused(service, 'generate', { contents: undefined }, 'contents', count)
  const generateContentRequest = { contents: [{ parts: [{ text: 'hi' }] }] }
  await expectAccepted(service, 'generate', { contents: undefined, generateContentRequest }, count)
})

test('responses: a prompt of words brings no input along', async () => {
  await using service = await startService()
  const fields = { input: undefined, prompt: 'Be brief.' }
  await expectRefused(service, 'responses', fields, 'input')
})

test('responses: a stored prompt may stand for the input', async () => {
  await using service = await startService()
  await expectAccepted(service, 'responses', { input: undefined, prompt: { id: 'pmpt_1' } })
})

test('responses: stream_options of a reply without a stream are refused', async () => {
  await using service = await startService()
  const fields = { stream: false, stream_options: { include_obfuscation: false } }
  await expectRefused(service, 'responses', fields, 'stream_options')
})

test('#6 Gemini has no bound for stop sequences', async () => {
  await using service = await startService()
  const stopSequences = ['a', 'b', 'c', 'd', 'e', 'f']
  await expectAccepted(service, 'generate', { generationConfig: { stopSequences } })
})

test('chat: seed is an integer of 64 bits, about, whose digits stay', async () => {
  await using service = await startService()
  for (const text of ['-9223372036854775808', '9223372036854775807', '9223372036854776000']) {
    const body = `{"model":"m","messages":[{"role":"user","content":"hi"}],"seed":${text}}`
    expect((await service.post('chat', body)).status).toBe(200)
    expect(service.received().body.toString()).toBe(body)
  }
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

test('responses: stream_options of a stream are an object', async () => {
  await using service = await startService()
  for (const bad of [7, [], 'all']) {
    const request = { stream: true, stream_options: bad }
    await expectRefused(service, 'responses', request, 'stream_options')
  }
})
