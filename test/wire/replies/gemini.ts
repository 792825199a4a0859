import type { Provider } from './reply.ts'

/** Gemini's API, whose streams have neither names nor an end. */
export const gemini: Provider = {
  provider: 'Gemini',
  speaks: 'generate',
  replies: [
    {
      name: 'thoughts and a text, with Windows line ends and usage in every chunk',
      stream: [
        String.raw`data: {"candidates": [{"content": {"parts": [{"text": "**Greeting**","thought": true}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 9,"totalTokenCount": 73,"promptTokensDetails": [{"modality": "TEXT","tokenCount": 9}],"thoughtsTokenCount": 64},"modelVersion": "gemini-2.5-flash","responseId": "kX9taNmzCrSa7M8P"}`,
        String.raw`data: {"candidates": [{"content": {"parts": [{"text": "Hello"}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 9,"candidatesTokenCount": 1,"totalTokenCount": 74,"thoughtsTokenCount": 64},"modelVersion": "gemini-2.5-flash","responseId": "kX9taNmzCrSa7M8P"}`,
        String.raw`data: {"candidates": [{"content": {"parts": [{"text": " there!"}],"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 9,"candidatesTokenCount": 3,"totalTokenCount": 76,"cachedContentTokenCount": 4,"thoughtsTokenCount": 64},"modelVersion": "gemini-2.5-flash","responseId": "kX9taNmzCrSa7M8P"}`,
        '',
      ].join('\r\n\r\n'),
      means: {
        text: 'Hello there!',
        thoughts: '**Greeting**',
        stop: 'stop',
        usage: { input: 9, output: 67, cached: 4, reasoning: 64 },
      },
    },
    {
      name: 'two calls in one chunk, of which the first is signed, and no ids',
      stream: String.raw`data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"look","args":{"at":"sun"}},"thoughtSignature":"CvcQAdHtim9sNmFtZSBzaWduYXR1cmU="},{"functionCall":{"name":"look","args":{"at":"moon"}}}],"role":"model"},"finishReason":"STOP","index":0,"finishMessage":"Model generated function call(s)."}],"usageMetadata":{"promptTokenCount":84,"candidatesTokenCount":34,"totalTokenCount":200,"thoughtsTokenCount":82},"modelVersion":"gemini-3-pro","responseId":"r2"}

`,
      means: {
        calls: [
          { name: 'look', input: { at: 'sun' } },
          { name: 'look', input: { at: 'moon' } },
        ],
        stop: 'tool_calls',
        usage: { input: 84, output: 116, reasoning: 82 },
      },
    },
    {
      name: 'a call without arguments, then an empty last chunk with the signature',
      stream: String.raw`data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"hear"}}],"role":"model"},"index":0}],"modelVersion":"gemini-3-flash","responseId":"r3"}

data: {"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"RXJvQ0N0"}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":4,"totalTokenCount":24},"modelVersion":"gemini-3-flash","responseId":"r3"}

`,
      means: {
        calls: [{ name: 'hear', input: {} }],
        stop: 'tool_calls',
        usage: { input: 20, output: 4 },
      },
    },
    {
      name: 'a prompt that was blocked',
      body: String.raw`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":12,"totalTokenCount":12},"modelVersion":"gemini-2.5-flash","responseId":"r4"}`,
      means: { text: 'The prompt was blocked: PROHIBITED_CONTENT.', stop: 'filtered' },
    },
    {
      name: 'a prompt that was blocked, streamed',
      stream: String.raw`data: {"promptFeedback":{"blockReason":"SAFETY","safetyRatings":[{"category":"HARM_CATEGORY_HARASSMENT","probability":"HIGH","blocked":true}]},"usageMetadata":{"promptTokenCount":12,"totalTokenCount":12},"modelVersion":"gemini-2.5-flash"}

`,
      means: { text: 'The prompt was blocked: SAFETY.', stop: 'filtered' },
    },
    {
      name: 'an answer that was stopped, without content',
      body: String.raw`{"candidates":[{"finishReason":"SAFETY","index":0,"safetyRatings":[{"category":"HARM_CATEGORY_DANGEROUS_CONTENT","probability":"MEDIUM","blocked":true}]}],"usageMetadata":{"promptTokenCount":6,"totalTokenCount":6},"modelVersion":"gemini-1.5-pro"}`,
      means: { text: '', stop: 'filtered', usage: { input: 6 } },
      for: { chat: { usage: {} }, responses: { usage: {} } },
    },
    {
      name: 'thoughts alone, cut at the limit',
      body: String.raw`{"candidates":[{"content":{"role":"model"},"finishReason":"MAX_TOKENS","index":0}],"usageMetadata":{"promptTokenCount":10,"totalTokenCount":109,"thoughtsTokenCount":99},"modelVersion":"gemini-2.5-pro","responseId":"r6"}`,
      means: { text: '', stop: 'length', usage: { input: 10, output: 99, reasoning: 99 } },
    },
    {
      name: 'a malformed call and nothing else',
      body: String.raw`{"candidates":[{"content":{},"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: print(default_api.look(at=","index":0}],"usageMetadata":{"promptTokenCount":90,"totalTokenCount":90},"modelVersion":"gemini-2.5-flash"}`,
      means: { fails: 'Malformed function call' },
    },
    {
      name: 'an error in the middle of a stream',
      stream: String.raw`data: {"candidates":[{"content":{"parts":[{"text":"Hel"}],"role":"model"},"index":0}],"modelVersion":"gemini-2.5-flash","responseId":"r8"}

data: {"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}

`,
      means: { fails: 'The model is overloaded.' },
    },
    {
      name: 'a stream without a reason at its end',
      stream: String.raw`data: {"candidates":[{"content":{"parts":[{"text":"Hel"}],"role":"model"},"index":0}],"modelVersion":"gemini-2.5-flash","responseId":"r9"}

`,
      means: { fails: 'ended before it was complete' },
    },
  ],
}

/** Google's cloud, which numbers less and adds more. */
export const vertex: Provider = {
  provider: 'Vertex AI',
  speaks: 'generate',
  replies: [
    {
      name: 'a reason in every chunk, a search of its own and candidates without numbers',
      stream: String.raw`data: {"candidates": [{"content": {"role": "model","parts": [{"text": "It is"}]},"finishReason": "FINISH_REASON_UNSPECIFIED"}],"usageMetadata": {"trafficType": "ON_DEMAND"},"modelVersion": "gemini-2.5-flash","createTime": "2025-08-11T09:00:00.123456Z","responseId": "v1"}

data: {"candidates": [{"content": {"role": "model","parts": [{"text": " a star."}]},"finishReason": "STOP","avgLogprobs": -0.12,"groundingMetadata": {"webSearchQueries": ["sun"],"groundingChunks": [{"web": {"uri": "https://example.com/sun","title": "example.com"}}],"groundingSupports": [{"segment": {"startIndex": 0,"endIndex": 14,"text": "It is a star."},"groundingChunkIndices": [0]}]}}],"usageMetadata": {"promptTokenCount": 8,"candidatesTokenCount": 5,"totalTokenCount": 13,"trafficType": "ON_DEMAND"},"modelVersion": "gemini-2.5-flash","createTime": "2025-08-11T09:00:00.123456Z","responseId": "v1"}

`,
      means: { text: 'It is a star.', stop: 'stop', usage: { input: 8, output: 5 } },
    },
    {
      name: 'code that ran on the way',
      body: String.raw`{"candidates":[{"content":{"role":"model","parts":[{"executableCode":{"language":"PYTHON","code":"print(1+1)"}},{"codeExecutionResult":{"outcome":"OUTCOME_OK","output":"2\n"}},{"text":"It is 2."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":13,"candidatesTokenCount":21,"totalTokenCount":50,"toolUsePromptTokenCount":16},"modelVersion":"gemini-2.5-flash"}`,
      means: { text: 'It is 2.', stop: 'stop', usage: { input: 29, output: 21 } },
    },
  ],
}
