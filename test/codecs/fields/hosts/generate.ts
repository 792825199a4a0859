import { type Host, pdf, png } from './host.ts'

const hello = { role: 'user', parts: [{ text: 'Hello' }] }
const says = (...parts: object[]) => ({ contents: [{ role: 'user', parts }] })
const declared = (fields: object = {}) => ({
  tools: [{ functionDeclarations: [{ name: 'look', ...fields }] }],
  contents: [hello],
})
const schema = {
  type: 'OBJECT',
  properties: { city: { type: 'STRING' }, street: { type: 'STRING' } },
  required: ['city'],
}
const calls = {
  ...declared(),
  contents: [
    hello,
    { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'look', args: {} } }] },
    {
      role: 'user',
      parts: [{ functionResponse: { id: 'call_1', name: 'look', response: { output: 'Seen.' } } }],
    },
  ],
}
const media = (fields: object) => ({
  ...calls,
  contents: [
    ...calls.contents.slice(0, 2),
    {
      role: 'user',
      parts: [
        {
          functionResponse: {
            id: 'call_1',
            name: 'look',
            response: { output: 'Seen.' },
            parts: [fields],
          },
        },
      ],
    },
  ],
})
const answers = (...parts: object[]) => ({ contents: [hello, { role: 'model', parts }, hello] })
const inlineData = { mimeType: 'image/png', data: png }
const fileData = { mimeType: 'image/png', fileUri: 'https://x.test/a.png' }
const config = (generationConfig: object) => ({ generationConfig, contents: [hello] })

/** Kinds of parts beside text. */
const others = [
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'audioTranscription',
]

/** Requests of generateContent. */
export const generateHosts: readonly Host[] = [
  { of: '', body: { contents: [hello] }, at: '' },
  { of: 'contents[]', body: { contents: [hello] }, at: 'contents[0]' },
  { of: 'contents[].parts[]', body: says({ text: 'Hi.' }), at: 'contents[0].parts[0]' },
  {
    of: 'contents[].parts[].inlineData',
    body: says({ inlineData }),
    at: 'contents[0].parts[0].inlineData',
  },
  {
    of: 'contents[].parts[].inlineData.displayName',
    body: says({ inlineData: { mimeType: 'application/pdf', data: pdf } }),
    at: 'contents[0].parts[0].inlineData.displayName',
  },
  {
    of: 'contents[].parts[].fileData',
    body: says({ fileData }),
    at: 'contents[0].parts[0].fileData',
  },
  {
    of: 'contents[].parts[].videoMetadata',
    body: says({ inlineData }),
    at: 'contents[0].parts[0].videoMetadata',
  },
  {
    of: 'contents[].parts[].thought',
    body: answers({ text: 'Why' }, { text: 'Hi.' }),
    at: 'contents[1].parts[0].thought',
  },
  {
    of: 'contents[].parts[].thoughtSignature',
    body: answers({ text: 'Hi.' }),
    at: 'contents[1].parts[0].thoughtSignature',
  },
  ...others.flatMap((kind, index): Host[] => [
    ...(index < 4
      ? []
      : [
          {
            of: `contents[].parts[].${kind}`,
            body: says({ text: 'Hi.' }),
            at: `contents[0].parts[1].${kind}`,
          },
        ]),
    {
      of: `systemInstruction.parts[].${kind}`,
      body: { systemInstruction: { parts: [{ text: 'Hi.' }] }, contents: [hello] },
      at: `systemInstruction.parts[1].${kind}`,
    },
  ]),
  { of: 'contents[].parts[].functionCall', body: calls, at: 'contents[1].parts[0].functionCall' },
  {
    of: 'contents[].parts[].functionResponse',
    body: calls,
    at: 'contents[2].parts[0].functionResponse',
  },
  {
    of: 'contents[].parts[].functionResponse.parts[].inlineData',
    body: media({ inlineData }),
    at: 'contents[2].parts[0].functionResponse.parts[0].inlineData',
  },
  {
    of: 'contents[].parts[].functionResponse.parts[].mediaProcessing',
    body: media({ inlineData }),
    at: 'contents[2].parts[0].functionResponse.parts[0].mediaProcessing',
  },
  {
    of: 'contents[].parts[].functionResponse.parts[].fileData',
    body: media({ fileData }),
    at: 'contents[2].parts[0].functionResponse.parts[0].fileData',
  },
  {
    of: 'systemInstruction',
    body: { systemInstruction: { parts: [{ text: 'Hi.' }] }, contents: [hello] },
    at: 'systemInstruction',
  },
  {
    of: 'tools[].functionDeclarations[]',
    body: declared(),
    at: 'tools[0].functionDeclarations[0]',
  },
  {
    of: 'tools[].functionDeclarations[].parameters',
    body: declared({ parameters: schema }),
    at: 'tools[0].functionDeclarations[0].parameters.properties.city',
  },
  ...['properties', 'required', 'propertyOrdering'].map((name): Host => ({
    of: `tools[].functionDeclarations[].parameters.${name}`,
    body: declared({ parameters: schema }),
    at: `tools[0].functionDeclarations[0].parameters.${name}`,
  })),
  { of: 'toolConfig', body: declared(), at: 'toolConfig' },
  {
    of: 'toolConfig.functionCallingConfig.allowedFunctionNames[]',
    body: { ...declared(), toolConfig: { functionCallingConfig: { mode: 'ANY' } } },
    at: 'toolConfig.functionCallingConfig.allowedFunctionNames[0]',
  },
  {
    of: 'generationConfig.logprobs',
    body: config({ responseLogprobs: true }),
    at: 'generationConfig.logprobs',
  },
]
