import { describe, expect, test } from 'vitest'
import { startSandbox } from '../../src/sandbox/index.ts'
import { errorMessage, greet, post, type Json } from './requests.ts'

const say = (...contents: Json[]) => ({ contents })
const user = (...parts: Json[]) => ({ role: 'user', parts })
const model = (...parts: Json[]) => ({ role: 'model', parts })
const hi = user({ text: 'hi' })
const call = { functionCall: { name: 'f', args: { snake_case: 1 } } }
const response = { functionResponse: { name: 'f', response: { output: 'ok' } } }

describe('generateContent', () => {
  test.each<[string, Json]>([
    ['contents without a role', say({ parts: [{ text: 'hi' }] })],
    [
      'media',
      say(
        user(
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { fileData: { fileUri: 'https://example.com/a.png', mimeType: 'image/png' } },
        ),
      ),
    ],
    ['calls with their responses', say(hi, model(call, call), user(response, response))],
    [
      'a lost signature, if it says so',
      say(
        hi,
        model({ ...call, thoughtSignature: 'skip_thought_signature_validator' }),
        user(response),
      ),
    ],
    [
      'snake_case',
      {
        system_instruction: { parts: [{ text: 'be nice' }] },
        generation_config: { max_output_tokens: 5, thinking_config: { include_thoughts: true } },
        tool_config: { function_calling_config: { mode: 'AUTO' } },
        tools: [{ function_declarations: [{ name: 'f' }] }, { google_search: {} }],
      },
    ],
    // In the JSON of protocol buffers null stands for an absent member.
    [
      'null for optional members',
      {
        ...say(
          { role: null, parts: [{ text: 'hi', functionCall: null, thought: null }] },
          model({ ...call, text: null, thoughtSignature: null }),
          user({ ...response, functionCall: null }),
        ),
        systemInstruction: null,
        generationConfig: { temperature: null, stopSequences: null, thinkingConfig: null },
        tools: [{ functionDeclarations: [{ name: 'f', description: null }], googleSearch: null }],
        toolConfig: null,
        safetySettings: null,
      },
    ],
    [
      'most fields',
      {
        generationConfig: { candidateCount: 2, topK: 40, topP: 0.5, seed: 1, stopSequences: ['a'] },
        labels: { snake_case: 'x' },
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
        systemInstruction: { role: 'user', parts: [{ text: 'be nice' }] },
      },
    ],
  ])('takes %s', async (_, body) => {
    await using sandbox = await startSandbox()
    const answer = await post(sandbox, greet('generate-content', 'm'), { body })
    expect(await errorMessage(answer)).toBe('')
  })

  test.each<[string, Json, string]>([
    ['an unknown field', { surprise: 1 }, 'Unknown name "surprise": Cannot find field'],
    ['chat messages', { messages: [] }, 'Unknown name "messages"'],
    ['unknown configuration', { generationConfig: { max_tokens: 1 } }, "at 'generationConfig'"],
    ['no contents', { contents: undefined }, 'contents is not specified'],
    ['the role of an assistant', say({ role: 'assistant', parts: [{ text: 'x' }] }), 'assistant'],
    ['an empty part', say(user({})), 'one initialized field'],
    ['a part of null', say(user({ text: null })), 'one initialized field'],
    ['null in a list', { contents: [null] }, 'an object'],
    ['an unknown field of null', { surprise: null }, 'Unknown name "surprise"'],
    ['a part of two kinds', say(user({ text: 'a', ...call })), 'oneof'],
    ['a call without its response', say(hi, model(call), hi), 'function response parts'],
    ['too few responses', say(hi, model(call, call), user(response)), 'function response parts'],
    ['a response without its call', say(user(response)), 'function response parts'],
    [
      'a response in a string',
      say(hi, model(call), user({ functionResponse: { name: 'f', response: 'x' } })),
      'an object',
    ],
    [
      'a signature nobody gave',
      say(hi, model({ ...call, thoughtSignature: 'AAAA' }), user(response)),
      'signature is not valid',
    ],
    [
      'bytes that are not base64',
      say(user({ inlineData: { mimeType: 'a/b', data: '!' } })),
      'inlineData.data',
    ],
    [
      'a mode of another provider',
      { toolConfig: { functionCallingConfig: { mode: 'required' } } },
      'mode',
    ],
    ['too much heat', { generationConfig: { temperature: 3 } }, 'must be at most 2'],
  ])('refuses %s', async (_, body, message) => {
    await using sandbox = await startSandbox()
    const answer = await post(sandbox, greet('generate-content', 'm'), { body })
    expect(await errorMessage(answer)).toContain(message)
    expect(answer.status).toBe(400)
  })
})

test('a model name may hold a slash, colons and encoded characters', async () => {
  await using sandbox = await startSandbox()
  const headers = { 'x-goog-api-key': 'sandbox-key-a' }
  const { body } = greet('generate-content', 'm')
  const versionOf = async (path: string) => {
    const answer = await post(sandbox, { path, headers, body })
    return answer.ok ? ((await answer.json()) as Json)['modelVersion'] : answer.status
  }
  expect(await versionOf('/v1beta/models/pub/m:free@1%20x:generateContent')).toBe('pub/m:free@1 x')
  expect(await versionOf('/v1/models/pub%2Fm:generateContent')).toBe('pub/m')
  expect(await versionOf('/v1beta1/publishers/pub/models/m:generateContent')).toBe('pub/m')
  expect(await versionOf('/v1beta1/publishers/google/models/m:generateContent')).toBe('m')
  expect(
    await versionOf('/v1beta1/projects/p/locations/l/publishers/pub/models/m:generateContent'),
  ).toBe('pub/m')
  expect(await versionOf('/v1beta/models/a/b/c:generateContent')).toBe(404)
  expect(await versionOf('/v1beta/pub/m:generateContent')).toBe(404)
  expect(await versionOf('/v1beta/models/m:surprise')).toBe(404)
})

test('errors carry the name of their status', async () => {
  await using sandbox = await startSandbox()
  const answer = await post(sandbox, greet('generate-content', 'm'), { body: { contents: [] } })
  expect(await answer.json()).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
})
