import type { Provider } from './reply.ts'

/** Chat completions of OpenAI itself. */
export const openaiChat: Provider = {
  provider: 'OpenAI, chat completions',
  speaks: 'chat',
  replies: [
    {
      name: 'a text, with usage in a chunk of its own and obfuscation',
      stream: String.raw`data: {"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"Lk3"}

data: {"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,"delta":{"content":"Hello"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"x"}

data: {"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,"delta":{"content":" \ud83d\udc4b"},"logprobs":null,"finish_reason":null}],"usage":null,"obfuscation":"y2c"}

data: {"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"usage":null,"obfuscation":"z"}

data: {"id":"chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o-2024-08-06","service_tier":"default","system_fingerprint":"fp_fc9f1d7035","choices":[],"usage":{"prompt_tokens":1117,"completion_tokens":46,"total_tokens":1163,"prompt_tokens_details":{"cached_tokens":1024,"audio_tokens":0},"completion_tokens_details":{"reasoning_tokens":30,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0}},"obfuscation":"w"}

data: [DONE]

`,
      means: {
        text: 'Hello \u{1f44b}',
        stop: 'stop',
        usage: { input: 1117, output: 46, cached: 1024, reasoning: 30 },
      },
    },
    {
      name: 'two calls side by side, whose arguments come in turns',
      stream: String.raw`data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_DdmO9pD3xa9XTPNJ32zg2hcA","type":"function","function":{"name":"look","arguments":""}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_hQ3XnyFzUkqO9Yt0y1mRr7Pn","type":"function","function":{"name":"look","arguments":""}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\":"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\"at\":\"mo"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"sun\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"on\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

`,
      means: {
        calls: [
          { name: 'look', input: { at: 'sun' } },
          { name: 'look', input: { at: 'moon' } },
        ],
        stop: 'tool_calls',
      },
    },
    {
      name: 'a call without any arguments',
      stream: String.raw`data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"role":"assistant","content":null,"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"hear","arguments":""}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-2","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

`,
      means: { calls: [{ name: 'hear', input: {} }], stop: 'tool_calls' },
    },
    {
      name: 'a refusal',
      stream: String.raw`data: {"id":"chatcmpl-3","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o","choices":[{"index":0,"delta":{"role":"assistant","refusal":""},"finish_reason":null}]}

data: {"id":"chatcmpl-3","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o","choices":[{"index":0,"delta":{"refusal":"I can't help"},"finish_reason":null}]}

data: {"id":"chatcmpl-3","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o","choices":[{"index":0,"delta":{"refusal":" with that."},"finish_reason":null}]}

data: {"id":"chatcmpl-3","object":"chat.completion.chunk","created":1741570283,"model":"gpt-4o","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

`,
      means: { text: "I can't help with that.", stop: 'refused' },
      for: { responses: { stop: 'stop' } },
    },
    {
      name: 'a whole completion with annotations and audio details',
      body: String.raw`{
  "id": "chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT",
  "object": "chat.completion",
  "created": 1741569952,
  "model": "gpt-4.1-2025-04-14",
  "choices": [
    {
      "index": 0,
      "message": {
        "role": "assistant",
        "content": "Hello! How can I assist you today?",
        "refusal": null,
        "annotations": []
      },
      "logprobs": null,
      "finish_reason": "stop"
    }
  ],
  "usage": {
    "prompt_tokens": 19,
    "completion_tokens": 10,
    "total_tokens": 29,
    "prompt_tokens_details": { "cached_tokens": 0, "audio_tokens": 0 },
    "completion_tokens_details": {
      "reasoning_tokens": 0,
      "audio_tokens": 0,
      "accepted_prediction_tokens": 0,
      "rejected_prediction_tokens": 0
    }
  },
  "service_tier": "default"
}`,
      means: {
        text: 'Hello! How can I assist you today?',
        stop: 'stop',
        usage: { input: 19, output: 10, cached: 0, reasoning: 0 },
      },
    },
    {
      name: 'a completion cut at its limit',
      body: String.raw`{"id":"chatcmpl-4","object":"chat.completion","created":1741569952,"model":"gpt-5","choices":[{"index":0,"message":{"role":"assistant","content":"Once upon","refusal":null},"finish_reason":"length"}],"usage":{"prompt_tokens":9,"completion_tokens":2,"total_tokens":11}}`,
      means: { text: 'Once upon', stop: 'length', usage: { input: 9, output: 2 } },
    },
    {
      name: 'a function called in the old way',
      body: String.raw`{"id":"chatcmpl-5","object":"chat.completion","created":1695324963,"model":"gpt-3.5-turbo-0613","choices":[{"index":0,"message":{"role":"assistant","content":null,"function_call":{"name":"look","arguments":"{\n\"at\":\"sun\"\n}"}},"finish_reason":"function_call"}],"usage":{"prompt_tokens":425,"completion_tokens":19,"total_tokens":444}}`,
      means: {
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 425, output: 19 },
      },
    },
    {
      name: 'an error in the middle of a stream',
      stream: String.raw`data: {"id":"chatcmpl-6","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}

data: {"error":{"message":"The server had an error while processing your request.","type":"server_error","param":null,"code":null}}

`,
      means: { fails: 'The server had an error while processing your request.' },
    },
    {
      name: 'a stream that ends before its reason',
      stream: String.raw`data: {"id":"chatcmpl-7","object":"chat.completion.chunk","created":1741570283,"model":"gpt-5","choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}

`,
      means: { fails: 'ended before it was complete' },
    },
  ],
}
