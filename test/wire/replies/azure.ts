import type { Provider } from './reply.ts'

/** Azure puts what its filters found into every chunk, and one without choices in front. */
export const azure: Provider = {
  provider: 'Azure OpenAI',
  speaks: 'chat',
  replies: [
    {
      name: 'a text with what the filters found',
      stream: String.raw`data: {"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"},"jailbreak":{"filtered":false,"detected":false},"self_harm":{"filtered":false,"severity":"safe"},"sexual":{"filtered":false,"severity":"safe"},"violence":{"filtered":false,"severity":"safe"}}}]}

data: {"choices":[{"content_filter_results":{},"delta":{"content":"","refusal":null,"role":"assistant"},"finish_reason":null,"index":0,"logprobs":null}],"created":1757499916,"id":"chatcmpl-CECImr5T","model":"gpt-5-mini-2025-08-07","object":"chat.completion.chunk","system_fingerprint":null,"usage":null}

data: {"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"delta":{"content":"The capital"},"finish_reason":null,"index":0,"logprobs":null}],"created":1757499916,"id":"chatcmpl-CECImr5T","model":"gpt-5-mini-2025-08-07","object":"chat.completion.chunk","system_fingerprint":null,"usage":null}

data: {"choices":[{"content_filter_results":{},"delta":{},"finish_reason":"stop","index":0,"logprobs":null}],"created":1757499916,"id":"chatcmpl-CECImr5T","model":"gpt-5-mini-2025-08-07","object":"chat.completion.chunk","system_fingerprint":null,"usage":null}

data: {"choices":[],"created":1757499916,"id":"chatcmpl-CECImr5T","model":"gpt-5-mini-2025-08-07","object":"chat.completion.chunk","system_fingerprint":null,"usage":{"completion_tokens":3,"completion_tokens_details":{"accepted_prediction_tokens":0,"audio_tokens":0,"reasoning_tokens":0,"rejected_prediction_tokens":0},"prompt_tokens":14,"prompt_tokens_details":{"audio_tokens":0,"cached_tokens":0},"total_tokens":17}}

data: [DONE]

`,
      means: { text: 'The capital', stop: 'stop', usage: { input: 14, output: 3 } },
    },
    {
      name: 'offsets of the asynchronous filter after the answer',
      stream: String.raw`data: {"id":"chatcmpl-8","object":"chat.completion.chunk","created":1704212243,"model":"gpt-4","choices":[{"index":0,"delta":{"role":"assistant","content":"Color"},"finish_reason":null}]}

data: {"id":"chatcmpl-8","object":"chat.completion.chunk","created":1704212243,"model":"gpt-4","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: {"id":"","object":"","created":0,"model":"","choices":[{"index":0,"finish_reason":null,"content_filter_results":{"hate":{"filtered":false,"severity":"safe"}},"content_filter_offsets":{"check_offset":44,"start_offset":44,"end_offset":198}}]}

data: [DONE]

`,
      means: { text: 'Color', stop: 'stop' },
    },
    {
      name: 'an answer that the filter stopped',
      body: String.raw`{"choices":[{"content_filter_results":{"hate":{"filtered":false,"severity":"safe"},"violence":{"filtered":true,"severity":"medium"}},"finish_reason":"content_filter","index":0,"logprobs":null,"message":{"role":"assistant"}}],"created":1756749680,"id":"chatcmpl-9","model":"gpt-4.1-2025-04-14","object":"chat.completion","prompt_filter_results":[{"prompt_index":0,"content_filter_results":{}}],"system_fingerprint":null,"usage":{"completion_tokens":5,"prompt_tokens":8,"total_tokens":13}}`,
      means: { text: '', stop: 'filtered', usage: { input: 8, output: 5 } },
    },
  ],
}
