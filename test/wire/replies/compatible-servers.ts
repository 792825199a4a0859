import type { Provider } from './reply.ts'

/** Servers that speak chat completions almost as OpenAI does. */
export const groq: Provider = {
  provider: 'Groq',
  speaks: 'chat',
  replies: [
    {
      name: 'usage in a field of its own, with the finish',
      stream: String.raw`data: {"id":"chatcmpl-e7f8e220","object":"chat.completion.chunk","created":1729171479,"model":"gemma2-9b-it","system_fingerprint":"fp_10c08bf97d","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"x_groq":{"id":"req_01jadadp0femyae9kav1gpkhe8"}}

data: {"id":"chatcmpl-e7f8e220","object":"chat.completion.chunk","created":1729171479,"model":"gemma2-9b-it","system_fingerprint":"fp_10c08bf97d","choices":[{"index":0,"delta":{"content":"Hello"},"logprobs":null,"finish_reason":null}]}

data: {"id":"chatcmpl-e7f8e220","object":"chat.completion.chunk","created":1729171479,"model":"gemma2-9b-it","system_fingerprint":"fp_10c08bf97d","choices":[{"index":0,"delta":{},"logprobs":null,"finish_reason":"stop"}],"x_groq":{"id":"req_01jadadp0femyae9kav1gpkhe8","usage":{"queue_time":0.061348671,"prompt_tokens":18,"prompt_time":0.000211569,"completion_tokens":439,"completion_time":0.798181818,"total_tokens":457,"total_time":0.798393387}}}

data: [DONE]

`,
      means: { text: 'Hello', stop: 'stop', usage: { input: 18, output: 439 } },
    },
    {
      name: 'a call in one piece, with reasoning',
      stream: String.raw`data: {"id":"chatcmpl-g2","object":"chat.completion.chunk","created":1754900000,"model":"openai/gpt-oss-20b","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning":"Look."},"finish_reason":null}]}

data: {"id":"chatcmpl-g2","object":"chat.completion.chunk","created":1754900000,"model":"openai/gpt-oss-20b","choices":[{"index":0,"delta":{"tool_calls":[{"id":"call_jv6g","type":"function","function":{"name":"look","arguments":"{\"at\":\"sun\"}"},"index":0}]},"finish_reason":null}]}

data: {"id":"chatcmpl-g2","object":"chat.completion.chunk","created":1754900000,"model":"openai/gpt-oss-20b","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":30,"completion_tokens":9,"total_tokens":39}}

data: [DONE]

`,
      means: {
        thoughts: 'Look.',
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 30, output: 9 },
      },
    },
  ],
}

export const mistral: Provider = {
  provider: 'Mistral',
  speaks: 'chat',
  replies: [
    {
      name: 'content in lists, thoughts among it',
      stream: String.raw`data: {"id":"c3c77283055240cbbaf6f01d384cfccb","object":"chat.completion.chunk","created":1762355135,"model":"magistral-medium-2509","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"c3c77283055240cbbaf6f01d384cfccb","object":"chat.completion.chunk","created":1762355135,"model":"magistral-medium-2509","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"The user"}]}]},"finish_reason":null}]}

data: {"id":"c3c77283055240cbbaf6f01d384cfccb","object":"chat.completion.chunk","created":1762355135,"model":"magistral-medium-2509","choices":[{"index":0,"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":" greets."}]}]},"finish_reason":null}]}

data: {"id":"c3c77283055240cbbaf6f01d384cfccb","object":"chat.completion.chunk","created":1762355135,"model":"magistral-medium-2509","choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Hello"}]},"finish_reason":null}]}

data: {"id":"c3c77283055240cbbaf6f01d384cfccb","object":"chat.completion.chunk","created":1762355135,"model":"magistral-medium-2509","choices":[{"index":0,"delta":{"content":"!"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"total_tokens":20,"completion_tokens":15}}

data: [DONE]

`,
      means: {
        text: 'Hello!',
        thoughts: 'The user greets.',
        stop: 'stop',
        usage: { input: 5, output: 15 },
      },
    },
    {
      name: 'calls without a type, in one chunk with the finish',
      stream: String.raw`data: {"id":"m2","object":"chat.completion.chunk","created":1762355135,"model":"mistral-large-latest","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

data: {"id":"m2","object":"chat.completion.chunk","created":1762355135,"model":"mistral-large-latest","choices":[{"index":0,"delta":{"content":"","tool_calls":[{"id":"gSIMJiOkT","function":{"name":"look","arguments":"{\"at\": \"sun\"}"},"index":0},{"id":"hT3kPqRsU","function":{"name":"hear","arguments":"{}"},"index":1}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":63,"total_tokens":109,"completion_tokens":46}}

data: [DONE]

`,
      means: {
        calls: [
          { name: 'look', input: { at: 'sun' } },
          { name: 'hear', input: {} },
        ],
        stop: 'tool_calls',
        usage: { input: 63, output: 46 },
      },
    },
    {
      name: 'chunks that are padded with letters',
      stream: String.raw`data: {"id":"m4","object":"chat.completion.chunk","created":1779000000,"model":"mistral-medium-3-5","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"p":"abcdefghijkl"}

data: {"id":"m4","object":"chat.completion.chunk","created":1779000000,"model":"mistral-medium-3-5","choices":[{"index":0,"delta":{"content":"Her"},"finish_reason":null}],"p":"abcdef"}

data: {"id":"m4","object":"chat.completion.chunk","created":1779000000,"model":"mistral-medium-3-5","choices":[{"index":0,"delta":{"content":" er"},"finish_reason":null}],"p":"abcdefghijklmnopq"}

data: {"id":"m4","object":"chat.completion.chunk","created":1779000000,"model":"mistral-medium-3-5","choices":[{"index":0,"delta":{"content":" jeg"},"finish_reason":null}],"p":""}

data: {"id":"m4","object":"chat.completion.chunk","created":1779000000,"model":"mistral-medium-3-5","choices":[{"index":0,"delta":{"content":"."},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"total_tokens":12,"completion_tokens":5},"p":"abcd"}

data: [DONE]

`,
      means: { text: 'Her er jeg.', stop: 'stop', usage: { input: 7, output: 5 } },
    },
    {
      name: 'a reply that ended with the context',
      body: String.raw`{"id":"m3","object":"chat.completion","created":1702637377,"model":"mistral-tiny","choices":[{"index":0,"message":{"role":"assistant","content":"It","tool_calls":null},"finish_reason":"model_length"}],"usage":{"prompt_tokens":31000,"total_tokens":32000,"completion_tokens":1000}}`,
      means: { text: 'It', stop: 'context', usage: { input: 31_000, output: 1_000 } },
    },
  ],
}

export const ollama: Provider = {
  provider: 'Ollama',
  speaks: 'chat',
  replies: [
    {
      name: 'calls that are all numbered 0, in chunks of their own',
      stream: String.raw`data: {"id":"chatcmpl-320","object":"chat.completion.chunk","created":1754900000,"model":"qwen3","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_0x1aa","index":0,"type":"function","function":{"name":"look","arguments":"{\"at\":\"sun\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-320","object":"chat.completion.chunk","created":1754900000,"model":"qwen3","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"id":"call_0x1bb","index":0,"type":"function","function":{"name":"look","arguments":"{\"at\":\"moon\"}"}}]},"finish_reason":null}]}

data: {"id":"chatcmpl-320","object":"chat.completion.chunk","created":1754900000,"model":"qwen3","system_fingerprint":"fp_ollama","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"tool_calls"}]}

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
      name: 'a finish of `stop` although a tool is called',
      body: String.raw`{"id":"chatcmpl-321","object":"chat.completion","created":1754900000,"model":"llama3.2","system_fingerprint":"fp_ollama","choices":[{"index":0,"message":{"role":"assistant","content":"","tool_calls":[{"id":"call_a","index":0,"type":"function","function":{"name":"look","arguments":"{\"at\":\"sun\"}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":26,"completion_tokens":18,"total_tokens":44}}`,
      means: {
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 26, output: 18 },
      },
    },
  ],
}

export const xai: Provider = {
  provider: 'xAI',
  speaks: 'chat',
  replies: [
    {
      name: 'usage before an empty last chunk, and a call told twice',
      stream: String.raw`data: {"id":"923d4779","object":"chat.completion.chunk","created":1764152777,"model":"grok-4-1-fast","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"Hm"}}],"system_fingerprint":"fp_1"}

data: {"id":"923d4779","object":"chat.completion.chunk","created":1764152777,"model":"grok-4-1-fast","choices":[{"index":0,"delta":{"content":"Hi","role":"assistant"}}],"system_fingerprint":"fp_1"}

data: {"id":"923d4779","object":"chat.completion.chunk","created":1764152777,"model":"grok-4-1-fast","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,"prompt_tokens_details":{"text_tokens":32,"audio_tokens":0,"image_tokens":0,"cached_tokens":6},"completion_tokens_details":{"reasoning_tokens":94,"audio_tokens":0,"accepted_prediction_tokens":0,"rejected_prediction_tokens":0},"num_sources_used":0},"system_fingerprint":"fp_1"}

data: {"id":"923d4779","object":"chat.completion.chunk","created":1764152777,"model":"grok-4-1-fast","choices":[],"system_fingerprint":"fp_1"}

data: [DONE]

`,
      means: {
        text: 'Hi',
        thoughts: 'Hm',
        stop: 'stop',
        usage: { input: 32, output: 103, cached: 6, reasoning: 94 },
      },
    },
  ],
}

export const together: Provider = {
  provider: 'Together',
  speaks: 'chat',
  replies: [
    {
      name: 'a text beside the choice and `eos` as its reason',
      stream: String.raw`data: {"id":"8f1","object":"chat.completion.chunk","created":1754900000,"choices":[{"index":0,"text":"Hi","logprobs":null,"finish_reason":null,"seed":null,"delta":{"token_id":13347,"role":"assistant","content":"Hi","tool_calls":null}}],"model":"meta-llama/Llama-3.3-70B-Instruct-Turbo","usage":null}

data: {"id":"8f1","object":"chat.completion.chunk","created":1754900000,"choices":[{"index":0,"text":"","logprobs":null,"finish_reason":"eos","seed":1102,"delta":{"token_id":128009,"role":"assistant","content":"","tool_calls":null}}],"model":"meta-llama/Llama-3.3-70B-Instruct-Turbo","usage":{"prompt_tokens":36,"completion_tokens":2,"total_tokens":38,"cached_tokens":0}}

data: [DONE]

`,
      means: { text: 'Hi', stop: 'stop', usage: { input: 36, output: 2 } },
    },
  ],
}
