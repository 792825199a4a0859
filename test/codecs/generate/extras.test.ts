import { expect, test } from 'vitest'

import { decode, treatments } from './codec.ts'

test('a client that uses what only this dialect runs or keeps needs an account of it', () => {
  const request = decode({
    cachedContent: 'cachedContents/1',
    continuationToken: 'abc',
    tools: [{ googleSearch: {}, code_execution: {} }, { urlContext: {} }, { brandNewTool: {} }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      responseMimeType: 'text/x.enum',
      speechConfig: {},
    },
    contents: [
      {
        role: 'user',
        parts: [
          { fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' } },
          { fileData: { fileUri: 'gs://bucket/a.png', mimeType: 'image/png' } },
          { fileData: { fileUri: 'https://www.youtube.com/watch?v=1' } },
          { inlineData: { mimeType: 'video/mp4', data: 'AAAA' } },
          { executableCode: { code: '1' } },
        ],
      },
    ],
  })
  expect(treatments(request)).toEqual({
    cachedContent: 'native',
    continuationToken: 'native',
    'tools[0].googleSearch': 'native',
    'tools[0].code_execution': 'native',
    'tools[1].urlContext': 'native',
    'tools[2].brandNewTool': 'native',
    'generationConfig.responseModalities': 'native',
    'generationConfig.responseMimeType': 'native',
    'generationConfig.speechConfig': 'native',
    'contents[0].parts[0].fileData.fileUri': 'native',
    'contents[0].parts[1].fileData.fileUri': 'native',
    'contents[0].parts[2].fileData.fileUri': 'native',
    'contents[0].parts[3].inlineData': 'native',
    'contents[0].parts[4].executableCode': 'native',
  })
})

test('hints for this dialect go without a word', () => {
  const request = decode({
    labels: { team: 'a' },
    model: 'models/m',
    contents: [{ parts: [{ text: 'Hello', partMetadata: {} }] }],
    tools: [{ functionDeclarations: [{ name: 'f', behavior: 'BLOCKING' }] }],
    toolConfig: { includeServerSideToolInvocations: true },
  })
  expect(new Set(Object.values(treatments(request)))).toEqual(new Set(['silent']))
  expect(Object.keys(treatments(request))).toHaveLength(3)
})

test('what changes the answer is dropped with a warning', () => {
  const request = decode({
    generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' },
    contents: [
      { parts: [{ inlineData: { mimeType: 'image/png', data: 'iVBO' }, mediaResolution: {} }] },
    ],
    tools: [{ functionDeclarations: [{ name: 'f' }, { name: 'g', behavior: 'NON_BLOCKING' }] }],
    toolConfig: { retrievalConfig: { languageCode: 'nl' } },
  })
  expect(treatments(request)).toEqual({
    'generationConfig.mediaResolution': 'warn',
    'contents[0].parts[0].mediaResolution': 'warn',
    'tools[0].functionDeclarations[1].behavior': 'warn',
    'toolConfig.retrievalConfig': 'warn',
  })
})

test('what nobody knows is dropped with a warning, wherever it stands', () => {
  const request = decode({
    brandNew: 1,
    generationConfig: { brandNew: 1, thinkingConfig: { brandNew: 1 } },
    contents: [{ brandNew: 1, parts: [{ text: 'Hello', brandNew: 1 }, { brandNewKind: {} }] }],
    tools: [{ functionDeclarations: [{ name: 'f', brandNew: 1 }] }],
  })
  expect(treatments(request)).toEqual({
    'contents[0].brandNew': 'warn',
    'contents[0].parts[0].brandNew': 'warn',
    'contents[0].parts[1].brandNewKind': 'warn',
    'tools[0].functionDeclarations[0].brandNew': 'warn',
    'generationConfig.brandNew': 'warn',
    'generationConfig.thinkingConfig.brandNew': 'warn',
    brandNew: 'warn',
  })
})
