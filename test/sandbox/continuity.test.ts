import { describe, expect, test } from 'vitest'

import { startSandbox } from '../../src/sandbox/index.ts'
import { errorMessage, greet, type Json, post } from './requests.ts'

const call = { functionCall: { name: 'f', args: {} } }
const response = { functionResponse: { name: 'f', response: { output: 'ok' } } }
const user = (...parts: Json[]) => ({ role: 'user', parts })
const model = (...parts: Json[]) => ({ role: 'model', parts })
const hi = user({ text: 'hi' })
const excused = { ...call, thoughtSignature: 'skip_thought_signature_validator' }

async function geminiSays(name: string, contents: Json[]): Promise<string> {
  await using sandbox = await startSandbox()
  return errorMessage(await post(sandbox, greet('generate-content', name), { body: { contents } }))
}

describe('new Gemini models', () => {
  const missing = 'missing a thought_signature'

  test.for<[string, Json[], string]>([
    ['want the first call of the turn signed', [hi, model(call), user(response)], missing],
    [
      'want that of every step',
      [hi, model(excused), user(response), model(call), user(response)],
      missing,
    ],
    ['let pass what is excused', [hi, model(excused, call), user(response, response)], ''],
    ['forget earlier turns', [hi, model(call), user(response), model({ text: 'x' }), hi], ''],
  ])('%s', async ([, contents, told]) => {
    const message = await geminiSays('gemini-3-pro', contents)
    if (told) expect(message).toContain(told)
    else expect(message).toBe('')
    expect(await geminiSays('gemini-2.5-pro', contents)).toBe('')
  })

  test('sign calls without having thought', async () => {
    await using sandbox = await startSandbox()
    const answer = await post(sandbox, greet('generate-content', 'gemini-3-pro/tool=f'))
    expect(await answer.json()).toMatchObject({
      candidates: [{ content: { parts: [{ thoughtSignature: expect.any(String) }] } }],
    })
  })
})

test('Anthropic wants an answer that goes on to begin with thoughts', async () => {
  await using sandbox = await startSandbox()
  const use = { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }
  const body = (type: string, ...more: Json[]) => ({
    max_tokens: 2048,
    thinking: { type, ...(type === 'enabled' && { budget_tokens: 1024 }) },
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result] },
      ...more,
    ],
  })
  const says = async (asked: Json) =>
    errorMessage(await post(sandbox, greet('messages', 'm'), { body: asked }))
  expect(await says(body('enabled'))).toContain('Expected `thinking` or `redacted_thinking`')
  expect(await says(body('adaptive'))).toBe('')
  const later = [
    { role: 'assistant', content: 'done' },
    { role: 'user', content: 'again' },
  ]
  expect(await says(body('enabled', ...later))).toBe('')
})
