import type { Provider } from './reply.ts'

/** Servers that tell what the model thought in a field of their own. */
export const deepseek: Provider = {
  provider: 'DeepSeek',
  speaks: 'chat',
  replies: [
    {
      name: 'thoughts before the answer, and usage with the finish',
      stream: String.raw`data: {"id":"51e1070e-6f9a-4d0c-9e5c-2d8a7fd3c9a1","object":"chat.completion.chunk","created":1718345013,"model":"deepseek-reasoner","system_fingerprint":"fp_a49d71b8a1","choices":[{"index":0,"delta":{"role":"assistant","content":null,"reasoning_content":""},"logprobs":null,"finish_reason":null}]}

data: {"id":"51e1070e-6f9a-4d0c-9e5c-2d8a7fd3c9a1","object":"chat.completion.chunk","created":1718345013,"model":"deepseek-reasoner","system_fingerprint":"fp_a49d71b8a1","choices":[{"index":0,"delta":{"content":null,"reasoning_content":"9.11 is"},"logprobs":null,"finish_reason":null}]}

data: {"id":"51e1070e-6f9a-4d0c-9e5c-2d8a7fd3c9a1","object":"chat.completion.chunk","created":1718345013,"model":"deepseek-reasoner","system_fingerprint":"fp_a49d71b8a1","choices":[{"index":0,"delta":{"content":null,"reasoning_content":" less."},"logprobs":null,"finish_reason":null}]}

data: {"id":"51e1070e-6f9a-4d0c-9e5c-2d8a7fd3c9a1","object":"chat.completion.chunk","created":1718345013,"model":"deepseek-reasoner","system_fingerprint":"fp_a49d71b8a1","choices":[{"index":0,"delta":{"content":"9.8","reasoning_content":null},"logprobs":null,"finish_reason":null}]}

data: {"id":"51e1070e-6f9a-4d0c-9e5c-2d8a7fd3c9a1","object":"chat.completion.chunk","created":1718345013,"model":"deepseek-reasoner","system_fingerprint":"fp_a49d71b8a1","choices":[{"index":0,"delta":{"content":"","reasoning_content":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":17,"completion_tokens":9,"total_tokens":26,"prompt_tokens_details":{"cached_tokens":16},"completion_tokens_details":{"reasoning_tokens":6},"prompt_cache_hit_tokens":16,"prompt_cache_miss_tokens":1}}

data: [DONE]

`,
      means: {
        text: '9.8',
        thoughts: '9.11 is less.',
        stop: 'stop',
        usage: { input: 17, output: 9, cached: 16, reasoning: 6 },
      },
    },
    {
      name: 'a reply stopped for want of machines',
      body: String.raw`{"id":"x1","object":"chat.completion","created":1705651092,"model":"deepseek-chat","choices":[{"index":0,"message":{"role":"assistant","content":"Hel","reasoning_content":null},"logprobs":null,"finish_reason":"insufficient_system_resource"}],"usage":{"prompt_tokens":10,"completion_tokens":1,"total_tokens":11,"prompt_cache_hit_tokens":0,"prompt_cache_miss_tokens":10}}`,
      means: { fails: 'The upstream' },
    },
  ],
}

export const vllm: Provider = {
  provider: 'vLLM',
  speaks: 'chat',
  replies: [
    {
      name: 'nulls wherever there is nothing, and stop_reason beside finish_reason',
      stream: String.raw`data: {"id":"chatcmpl-3f1c9e0d5a0f4f6f","object":"chat.completion.chunk","created":1754900000,"model":"Qwen/Qwen3-8B","choices":[{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":12,"total_tokens":12,"completion_tokens":0}}

data: {"id":"chatcmpl-3f1c9e0d5a0f4f6f","object":"chat.completion.chunk","created":1754900000,"model":"Qwen/Qwen3-8B","choices":[{"index":0,"delta":{"reasoning_content":"Okay."},"logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":12,"total_tokens":14,"completion_tokens":2}}

data: {"id":"chatcmpl-3f1c9e0d5a0f4f6f","object":"chat.completion.chunk","created":1754900000,"model":"Qwen/Qwen3-8B","choices":[{"index":0,"delta":{"tool_calls":[{"id":"chatcmpl-tool-6b1d8a7e2f9c4b3a","type":"function","index":0,"function":{"name":"look"}}]},"logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":12,"total_tokens":20,"completion_tokens":8}}

data: {"id":"chatcmpl-3f1c9e0d5a0f4f6f","object":"chat.completion.chunk","created":1754900000,"model":"Qwen/Qwen3-8B","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"at\": \"sun\"}"}}]},"logprobs":null,"finish_reason":null}],"usage":{"prompt_tokens":12,"total_tokens":26,"completion_tokens":14}}

data: {"id":"chatcmpl-3f1c9e0d5a0f4f6f","object":"chat.completion.chunk","created":1754900000,"model":"Qwen/Qwen3-8B","choices":[{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":"tool_calls","stop_reason":null}],"usage":{"prompt_tokens":12,"total_tokens":27,"completion_tokens":15}}

data: {"id":"chatcmpl-3f1c9e0d5a0f4f6f","object":"chat.completion.chunk","created":1754900000,"model":"Qwen/Qwen3-8B","choices":[],"usage":{"prompt_tokens":12,"total_tokens":27,"completion_tokens":15}}

data: [DONE]

`,
      means: {
        thoughts: 'Okay.',
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 12, output: 15 },
      },
    },
    {
      name: 'a whole reply with its many nulls',
      body: String.raw`{"id":"chatcmpl-aa","object":"chat.completion","created":1754900000,"model":"Qwen/Qwen3-8B","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","refusal":null,"annotations":null,"audio":null,"function_call":null,"tool_calls":[],"reasoning_content":null},"logprobs":null,"finish_reason":"stop","stop_reason":151645}],"service_tier":null,"system_fingerprint":null,"usage":{"prompt_tokens":12,"total_tokens":14,"completion_tokens":2,"prompt_tokens_details":null},"prompt_logprobs":null,"kv_transfer_params":null}`,
      means: { text: 'Hi', stop: 'stop', usage: { input: 12, output: 2 } },
    },
    {
      name: 'an error told in the old form in the stream',
      stream: String.raw`data: {"object":"error","message":"The engine is dead.","type":"InternalServerError","param":null,"code":500}

data: [DONE]

`,
      means: { fails: 'The engine is dead.' },
    },
  ],
}

export const openrouter: Provider = {
  provider: 'OpenRouter',
  speaks: 'chat',
  replies: [
    {
      name: 'comments while it waits, and reasoning in two forms',
      stream: String.raw`: OPENROUTER PROCESSING

: OPENROUTER PROCESSING

data: {"id":"gen-1754900000-AbCdEf","provider":"Anthropic","model":"anthropic/claude-sonnet-4","object":"chat.completion.chunk","created":1754900000,"choices":[{"index":0,"delta":{"role":"assistant","content":"","reasoning":"Let me see.","reasoning_details":[{"type":"reasoning.text","text":"Let me see.","format":"anthropic-claude-v1","index":0}]},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}

: OPENROUTER PROCESSING

data: {"id":"gen-1754900000-AbCdEf","provider":"Anthropic","model":"anthropic/claude-sonnet-4","object":"chat.completion.chunk","created":1754900000,"choices":[{"index":0,"delta":{"role":"assistant","content":"Hello"},"finish_reason":null,"native_finish_reason":null,"logprobs":null}]}

data: {"id":"gen-1754900000-AbCdEf","provider":"Anthropic","model":"anthropic/claude-sonnet-4","object":"chat.completion.chunk","created":1754900000,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop","native_finish_reason":"end_turn","logprobs":null}]}

data: {"id":"gen-1754900000-AbCdEf","provider":"Anthropic","model":"anthropic/claude-sonnet-4","object":"chat.completion.chunk","created":1754900000,"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null,"native_finish_reason":null,"logprobs":null}],"usage":{"prompt_tokens":20,"completion_tokens":12,"total_tokens":32,"cost":0.00024,"is_byok":false,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":5}}}

data: [DONE]

`,
      means: {
        text: 'Hello',
        thoughts: 'Let me see.',
        stop: 'stop',
        usage: { input: 20, output: 12, cached: 4, reasoning: 5 },
      },
    },
    {
      name: 'an error in the middle, with a finish_reason of its own',
      stream: String.raw`data: {"id":"gen-2","provider":"OpenAI","model":"openai/gpt-5","object":"chat.completion.chunk","created":1754900000,"choices":[{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}

data: {"id":"gen-2","provider":"OpenAI","model":"openai/gpt-5","object":"chat.completion.chunk","created":1754900000,"error":{"code":502,"message":"Provider disconnected unexpectedly"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}

data: [DONE]

`,
      means: { fails: 'Provider disconnected unexpectedly' },
    },
    {
      name: 'an error with the status of a success',
      body: String.raw`{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"rate limited","provider_name":"Google"}},"user_id":"user_1"}`,
      means: { fails: 'Provider returned error' },
    },
  ],
}
