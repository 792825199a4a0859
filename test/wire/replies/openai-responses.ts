import type { Provider } from './reply.ts'

/** Responses of OpenAI itself, which sends no `[DONE]`. */
export const openaiResponses: Provider = {
  provider: 'OpenAI, Responses',
  speaks: 'responses',
  replies: [
    {
      name: 'a summary of thoughts, then a text',
      stream: String.raw`event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_67c9fdcecf488190bdd9a0409de3a1ec","object":"response","created_at":1741290958,"status":"in_progress","background":false,"error":null,"incomplete_details":null,"instructions":null,"model":"gpt-5-2025-08-07","output":[],"usage":null}}

event: response.in_progress
data: {"type":"response.in_progress","sequence_number":1,"response":{"id":"resp_67c9fdcecf488190bdd9a0409de3a1ec","object":"response","created_at":1741290958,"status":"in_progress","model":"gpt-5-2025-08-07","output":[],"usage":null}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":2,"output_index":0,"item":{"id":"rs_68a1","type":"reasoning","summary":[]}}

event: response.reasoning_summary_part.added
data: {"type":"response.reasoning_summary_part.added","sequence_number":3,"item_id":"rs_68a1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":""}}

event: response.reasoning_summary_text.delta
data: {"type":"response.reasoning_summary_text.delta","sequence_number":4,"item_id":"rs_68a1","output_index":0,"summary_index":0,"delta":"**Greeting**","obfuscation":"aB"}

event: response.reasoning_summary_text.done
data: {"type":"response.reasoning_summary_text.done","sequence_number":5,"item_id":"rs_68a1","output_index":0,"summary_index":0,"text":"**Greeting**"}

event: response.reasoning_summary_part.done
data: {"type":"response.reasoning_summary_part.done","sequence_number":6,"item_id":"rs_68a1","output_index":0,"summary_index":0,"part":{"type":"summary_text","text":"**Greeting**"}}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":7,"output_index":0,"item":{"id":"rs_68a1","type":"reasoning","summary":[{"type":"summary_text","text":"**Greeting**"}]}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":8,"output_index":1,"item":{"id":"msg_67c9","type":"message","status":"in_progress","role":"assistant","content":[]}}

event: response.content_part.added
data: {"type":"response.content_part.added","sequence_number":9,"item_id":"msg_67c9","output_index":1,"content_index":0,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":""}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":10,"item_id":"msg_67c9","output_index":1,"content_index":0,"delta":"Hi","logprobs":[],"obfuscation":"4kLm"}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":11,"item_id":"msg_67c9","output_index":1,"content_index":0,"delta":" there!","logprobs":[],"obfuscation":"x"}

event: response.output_text.done
data: {"type":"response.output_text.done","sequence_number":12,"item_id":"msg_67c9","output_index":1,"content_index":0,"text":"Hi there!","logprobs":[]}

event: response.content_part.done
data: {"type":"response.content_part.done","sequence_number":13,"item_id":"msg_67c9","output_index":1,"content_index":0,"part":{"type":"output_text","annotations":[],"logprobs":[],"text":"Hi there!"}}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":14,"output_index":1,"item":{"id":"msg_67c9","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Hi there!"}]}}

event: response.completed
data: {"type":"response.completed","sequence_number":15,"response":{"id":"resp_67c9fdcecf488190bdd9a0409de3a1ec","object":"response","created_at":1741290958,"status":"completed","error":null,"incomplete_details":null,"model":"gpt-5-2025-08-07","output":[{"id":"rs_68a1","type":"reasoning","summary":[{"type":"summary_text","text":"**Greeting**"}]},{"id":"msg_67c9","type":"message","status":"completed","role":"assistant","content":[{"type":"output_text","annotations":[],"logprobs":[],"text":"Hi there!"}]}],"usage":{"input_tokens":37,"input_tokens_details":{"cached_tokens":12},"output_tokens":75,"output_tokens_details":{"reasoning_tokens":64},"total_tokens":112}}}

`,
      means: {
        text: 'Hi there!',
        thoughts: '**Greeting**',
        stop: 'stop',
        usage: { input: 37, output: 75, cached: 12, reasoning: 64 },
      },
    },
    {
      name: 'a search of its own, then a call',
      stream: String.raw`event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_2","object":"response","created_at":1741290958,"status":"in_progress","model":"gpt-5","output":[],"usage":null}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"ws_1","type":"web_search_call","status":"in_progress","action":{"type":"search","query":"sun"}}}

event: response.web_search_call.in_progress
data: {"type":"response.web_search_call.in_progress","sequence_number":2,"output_index":0,"item_id":"ws_1"}

event: response.web_search_call.completed
data: {"type":"response.web_search_call.completed","sequence_number":3,"output_index":0,"item_id":"ws_1"}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":4,"output_index":0,"item":{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"sun"}}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":5,"output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"call_A","name":"look","arguments":"","status":"in_progress"}}

event: response.function_call_arguments.delta
data: {"type":"response.function_call_arguments.delta","sequence_number":6,"item_id":"fc_1","output_index":1,"delta":"{\"at\":\"sun\"}"}

event: response.function_call_arguments.done
data: {"type":"response.function_call_arguments.done","sequence_number":7,"item_id":"fc_1","output_index":1,"name":"look","arguments":"{\"at\":\"sun\"}"}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":8,"output_index":1,"item":{"type":"function_call","id":"fc_1","call_id":"call_A","name":"look","arguments":"{\"at\":\"sun\"}","status":"completed"}}

event: response.completed
data: {"type":"response.completed","sequence_number":9,"response":{"id":"resp_2","object":"response","created_at":1741290958,"status":"completed","model":"gpt-5","output":[{"id":"ws_1","type":"web_search_call","status":"completed","action":{"type":"search","query":"sun"}},{"type":"function_call","id":"fc_1","call_id":"call_A","name":"look","arguments":"{\"at\":\"sun\"}","status":"completed"}],"usage":{"input_tokens":291,"output_tokens":23,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":314}}}

`,
      means: {
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 291, output: 23 },
      },
    },
    {
      name: 'a refusal',
      body: String.raw`{"id":"resp_3","object":"response","created_at":1741290958,"status":"completed","error":null,"incomplete_details":null,"model":"gpt-4o","output":[{"id":"msg_3","type":"message","status":"completed","role":"assistant","content":[{"type":"refusal","refusal":"I'm sorry, I cannot assist."}]}],"usage":{"input_tokens":81,"input_tokens_details":{"cached_tokens":0},"output_tokens":11,"output_tokens_details":{"reasoning_tokens":0},"total_tokens":92}}`,
      means: {
        text: "I'm sorry, I cannot assist.",
        stop: 'refused',
        usage: { input: 81, output: 11 },
      },
      for: { chat: { stop: 'stop' } },
    },
    {
      name: 'a response cut at its limit',
      body: String.raw`{"id":"resp_4","object":"response","created_at":1741290958,"status":"incomplete","error":null,"incomplete_details":{"reason":"max_output_tokens"},"model":"gpt-5","output":[{"id":"rs_4","type":"reasoning","summary":[]},{"id":"msg_4","type":"message","status":"incomplete","role":"assistant","content":[{"type":"output_text","text":"Once","annotations":[]}]}],"usage":{"input_tokens":9,"input_tokens_details":{"cached_tokens":0},"output_tokens":16,"output_tokens_details":{"reasoning_tokens":15},"total_tokens":25}}`,
      means: { text: 'Once', stop: 'length', usage: { input: 9, output: 16, reasoning: 15 } },
    },
    {
      name: 'an error event, then the failed response',
      stream: String.raw`event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_5","object":"response","created_at":1741290958,"status":"in_progress","model":"gpt-5","output":[],"usage":null}}

event: error
data: {"type":"error","sequence_number":1,"code":"rate_limit_exceeded","message":"Rate limit reached for gpt-5.","param":null}

event: response.failed
data: {"type":"response.failed","sequence_number":2,"response":{"id":"resp_5","object":"response","created_at":1741290958,"status":"failed","error":{"code":"rate_limit_exceeded","message":"Rate limit reached for gpt-5."},"model":"gpt-5","output":[],"usage":null}}

`,
      means: { fails: 'Rate limit reached for gpt-5.' },
    },
    {
      name: 'a failed response in one piece',
      body: String.raw`{"id":"resp_6","object":"response","created_at":1741369938,"status":"failed","error":{"code":"server_error","message":"The model failed to generate a response."},"incomplete_details":null,"model":"gpt-4o-mini","output":[],"usage":null}`,
      means: { fails: 'The model failed to generate a response.' },
    },
    {
      name: 'a stream that breaks off between items',
      stream: String.raw`event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_7","object":"response","created_at":1741290958,"status":"in_progress","model":"gpt-5","output":[],"usage":null}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"msg_7","type":"message","status":"in_progress","role":"assistant","content":[]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":2,"item_id":"msg_7","output_index":0,"content_index":0,"delta":"Hel","logprobs":[]}

`,
      means: { fails: 'ended before it was complete' },
    },
  ],
}

/** Servers that follow the open description of it, and others that follow it less. */
export const openResponses: Provider = {
  provider: 'Open Responses servers',
  speaks: 'responses',
  replies: [
    {
      name: 'raw reasoning under another name, bare text events and [DONE]',
      stream: String.raw`event: response.created
data: {"type":"response.created","sequence_number":0,"response":{"id":"resp_8","object":"response","created_at":1754900000,"status":"in_progress","model":"gpt-oss-20b","output":[]}}

event: response.output_item.added
data: {"type":"response.output_item.added","sequence_number":1,"output_index":0,"item":{"id":"rs_8","type":"reasoning","summary":[],"content":[]}}

event: response.reasoning.delta
data: {"type":"response.reasoning.delta","sequence_number":2,"item_id":"rs_8","output_index":0,"content_index":0,"delta":"Short."}

event: response.output_item.done
data: {"type":"response.output_item.done","sequence_number":3,"output_index":0,"item":{"id":"rs_8","type":"reasoning","summary":[],"content":[{"type":"reasoning_text","text":"Short."}]}}

event: response.output_text.delta
data: {"type":"response.output_text.delta","sequence_number":4,"item_id":"msg_8","output_index":1,"content_index":0,"delta":"Hi"}

event: response.completed
data: {"type":"response.completed","sequence_number":5,"response":{"id":"resp_8","object":"response","created_at":1754900000,"status":"completed","model":"gpt-oss-20b","output":[],"usage":null}}

data: [DONE]

`,
      means: { text: 'Hi', thoughts: 'Short.', stop: 'stop' },
    },
    {
      name: 'no event names, and ids that change',
      stream: String.raw`data: {"type":"response.created","response":{"id":"resp_9","model":"local","status":"in_progress"}}

data: {"type":"response.output_item.added","output_index":0,"item":{"id":"tmp_1","type":"function_call","call_id":"c1","name":"look","arguments":""}}

data: {"type":"response.function_call_arguments.delta","item_id":"tmp_2","output_index":0,"delta":"{\"at\":\"sun\"}"}

data: {"type":"response.output_item.done","output_index":0,"item":{"id":"tmp_3","type":"function_call","call_id":"c1","name":"look","arguments":"{\"at\":\"sun\"}"}}

data: {"type":"response.completed","response":{"id":"resp_9","model":"local","status":"completed","output":[{"id":"tmp_4","type":"function_call","call_id":"c1","name":"look","arguments":"{\"at\":\"sun\"}"}]}}

`,
      means: { calls: [{ name: 'look', input: { at: 'sun' } }], stop: 'tool_calls' },
    },
  ],
}
