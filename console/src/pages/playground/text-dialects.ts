import {
  type Json,
  type PlaygroundDialect,
  bearer,
  googleKey,
  listOf,
  modelPath,
  wordsOf,
} from './dialect.ts'

/** The dialects that make texts. */
export const textDialects: readonly PlaygroundDialect[] = [
  {
    id: 'responses',
    name: 'Responses',
    makes: 'text',
    last: /"type":\s*"response\.(?:completed|incomplete|failed)"/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: '/v1/responses',
      headers: bearer(key),
      body: {
        model,
        input: text,
        ...(system !== '' && { instructions: system }),
        max_output_tokens: maxTokens,
        stream: isStreamed,
      },
    }),
    textOf: ({ output }) =>
      listOf(output)
        .flatMap(({ content }) => listOf(content))
        .map(({ text }) => wordsOf(text))
        .join(''),
    deltaOf: ({ type, delta }) =>
      wordsOf(type) === 'response.output_text.delta' ? wordsOf(delta) : '',
  },
  {
    id: 'chat',
    name: 'Chat Completions',
    makes: 'text',
    last: /^\[DONE\]$/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: '/v1/chat/completions',
      headers: bearer(key),
      body: {
        model,
        messages: [
          ...(system === '' ? [] : [{ role: 'system', content: system }]),
          { role: 'user', content: text },
        ],
        max_completion_tokens: maxTokens,
        stream: isStreamed,
        ...(isStreamed && { stream_options: { include_usage: true } }),
      },
    }),
    textOf: ({ choices }) => wordsOf(listOf(choices)[0]?.['message']?.['content']),
    deltaOf: ({ choices }) => wordsOf(listOf(choices)[0]?.['delta']?.['content']),
  },
  {
    id: 'messages',
    name: 'Messages',
    makes: 'text',
    last: /"type":\s*"message_stop"/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: '/v1/messages',
      headers: { 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      body: {
        model,
        ...(system !== '' && { system }),
        messages: [{ role: 'user', content: text }],
        max_tokens: maxTokens,
        stream: isStreamed,
      },
    }),
    textOf: ({ content }) =>
      listOf(content)
        .map(({ text }) => wordsOf(text))
        .join(''),
    deltaOf: ({ delta }) => wordsOf(delta?.['text']),
  },
  {
    id: 'generate',
    name: 'generateContent',
    makes: 'text',
    last: /"finishReason"/,
    call: ({ model, system, text, maxTokens, isStreamed }, key) => ({
      path: modelPath(model, isStreamed ? 'streamGenerateContent?alt=sse' : 'generateContent'),
      headers: googleKey(key),
      body: {
        contents: [{ role: 'user', parts: [{ text }] }],
        ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
        generationConfig: { maxOutputTokens: maxTokens },
      },
    }),
    textOf: partsText,
    deltaOf: partsText,
  },
  {
    id: 'completions',
    name: 'Completions',
    makes: 'completion',
    last: /^\[DONE\]$/,
    call: ({ model, text, maxTokens, isStreamed }, key) => ({
      path: '/v1/completions',
      headers: bearer(key),
      body: {
        model,
        prompt: text,
        max_tokens: maxTokens,
        stream: isStreamed,
        ...(isStreamed && { stream_options: { include_usage: true } }),
      },
    }),
    textOf: completionText,
    deltaOf: completionText,
  },
]

function partsText({ candidates }: Json): string {
  return listOf(listOf(candidates)[0]?.['content']?.['parts'])
    .map(({ text }) => wordsOf(text))
    .join('')
}

function completionText({ choices }: Json): string {
  return wordsOf(listOf(choices)[0]?.['text'])
}
