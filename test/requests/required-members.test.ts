import { test } from 'vitest'

import type { DialectName } from '../requests/dialects.ts'
import { startService } from '../requests/service.ts'
import { expectAccepted, expectRefused } from '../requests/verdict.ts'

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

test('responses: stream_options of a stream are an object', async () => {
  await using service = await startService()
  for (const bad of [7, [], 'all']) {
    const request = { stream: true, stream_options: bad }
    await expectRefused(service, 'responses', request, 'stream_options')
  }
})
