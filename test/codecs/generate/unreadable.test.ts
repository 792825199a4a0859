import { expect, test } from 'vitest'

import { decode } from './codec.ts'

const ask = { role: 'user', parts: [{ text: 'Hello' }] }

test.each([
  ['contents[0]', { contents: ['Hello'] }],
  ['contents[0].parts', { contents: [{ parts: 'Hello' }] }],
  ['contents[0].role', { contents: [{ role: 1, parts: [{ text: 'x' }] }] }],
  ['contents[0].parts[0]', { contents: [{ parts: [{}] }] }],
  ['contents[0].parts[0].text', { contents: [{ parts: [{ text: 5 }] }] }],
  [
    'contents[0].parts[0].inlineData.data',
    { contents: [{ parts: [{ inlineData: { mimeType: 'a/b' } }] }] },
  ],
  [
    'contents[0].parts[0].inline_data.mimeType',
    { contents: [{ parts: [{ inline_data: { data: 'aa' } }] }] },
  ],
  ['contents[0].parts[0].fileData.fileUri', { contents: [{ parts: [{ fileData: {} }] }] }],
  [
    'contents[0].parts[0]',
    { contents: [{ role: 'user', parts: [{ functionCall: { name: 'f' } }] }] },
  ],
  [
    'contents[1].parts[0].functionCall.name',
    { contents: [ask, { role: 'model', parts: [{ functionCall: {} }] }] },
  ],
  [
    'contents[1].parts[0].functionCall.args',
    { contents: [ask, { role: 'model', parts: [{ functionCall: { name: 'f', args: '{}' } }] }] },
  ],
  [
    'contents[1].parts[0].functionResponse',
    {
      contents: [ask, { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] }],
    },
  ],
  [
    'contents[0].parts[0].functionResponse.response',
    { contents: [{ parts: [{ functionResponse: { name: 'f', response: 'x' } }] }] },
  ],
  [
    'contents[0].parts[0]',
    { contents: [{ role: 'model', parts: [{ functionResponse: { name: 'f' } }] }] },
  ],
  ['systemInstruction', { systemInstruction: 5 }],
  ['generationConfig', { generationConfig: 'x' }],
  ['generationConfig.topK', { generationConfig: { topK: 'many' } }],
  ['generationConfig.stopSequences', { generationConfig: { stopSequences: 'END' } }],
  ['generationConfig.stopSequences[1]', { generationConfig: { stopSequences: ['a', 1] } }],
  ['generationConfig.responseSchema', { generationConfig: { responseSchema: 'x' } }],
  [
    'generationConfig.thinkingConfig.thinkingLevel',
    { generationConfig: { thinkingConfig: { thinkingLevel: 'ENORMOUS' } } },
  ],
  ['tools[0].functionDeclarations[0].name', { tools: [{ functionDeclarations: [{}] }] }],
  [
    'toolConfig.functionCallingConfig.mode',
    { toolConfig: { functionCallingConfig: { mode: 'MAYBE' } } },
  ],
  [
    'toolConfig.functionCallingConfig.allowedFunctionNames',
    { toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['ghost'] } } },
  ],
])('a client that is wrong about `%s` is told so', (param, body) => {
  expect(() => decode(body)).toThrow(
    expect.objectContaining({ code: 'invalid_value', status: 400, param }),
  )
})
