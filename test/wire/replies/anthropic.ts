import type { Provider } from './reply.ts'

/** Messages of Anthropic itself. */
export const anthropic: Provider = {
  provider: 'Anthropic',
  speaks: 'messages',
  replies: [
    {
      name: 'thoughts, a text and a call, with usage in two places',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"model":"claude-sonnet-4-20250514","id":"msg_01XFDUDYJgAACzvnptvVoYEL","type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":472,"cache_creation_input_tokens":100,"cache_read_input_tokens":2000,"cache_creation":{"ephemeral_5m_input_tokens":100,"ephemeral_1h_input_tokens":0},"output_tokens":2,"service_tier":"standard"}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: ping
data: {"type": "ping"}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"I should look."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Okay"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":", let's see."}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"toolu_01T1x1fJ34qAmk2tNTrN7Up6","name":"look","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"at\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":" \"sun\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":89}}

event: message_stop
data: {"type":"message_stop"}

`,
      means: {
        text: "Okay, let's see.",
        thoughts: 'I should look.',
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 2572, output: 89, cached: 2000 },
      },
    },
    {
      name: 'a call without arguments, and an event nobody knows',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"id":"msg_2","type":"message","role":"assistant","model":"claude-sonnet-4","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":25,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"hear","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: vendor_note
data: {"type":"vendor_note","note":{"x":1}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":15}}

event: message_stop
data: {"type":"message_stop"}

`,
      means: {
        calls: [{ name: 'hear', input: {} }],
        stop: 'tool_calls',
        usage: { input: 25, output: 15 },
      },
    },
    {
      name: 'a search of its own server with cited results',
      body: String.raw`{"id":"msg_3","type":"message","role":"assistant","model":"claude-sonnet-4","content":[{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"sun"}},{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://example.com/sun","title":"Sun","encrypted_content":"EqgfCioIARgBIiQ3","page_age":null}]},{"type":"text","text":"It is a star.","citations":[{"type":"web_search_result_location","url":"https://example.com/sun","title":"Sun","encrypted_index":"Eo8BCioIAhgBIiQy","cited_text":"The Sun is a star"}]}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":6039,"cache_read_input_tokens":0,"cache_creation_input_tokens":0,"output_tokens":931,"server_tool_use":{"web_search_requests":1}}}`,
      means: { text: 'It is a star.', stop: 'stop', usage: { input: 6039, output: 931 } },
    },
    {
      name: 'nothing but redacted thoughts, cut at the limit',
      body: String.raw`{"id":"msg_4","type":"message","role":"assistant","model":"claude-opus-4","content":[{"type":"redacted_thinking","data":"EmwKAhgBEgy3va3pzix/LafPsn4aDFIT2Xlxh0L5L8rLVyIwxtE3rAFBa8cr3qpP"}],"stop_reason":"max_tokens","stop_sequence":null,"usage":{"input_tokens":92,"output_tokens":1024}}`,
      means: { stop: 'length', usage: { input: 92, output: 1024 } },
    },
    {
      name: 'a refusal of a classifier in the middle',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"id":"msg_5","type":"message","role":"assistant","model":"claude-opus-4","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":564,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hello"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"refusal","stop_sequence":null},"usage":{"output_tokens":22}}

event: message_stop
data: {"type":"message_stop"}

`,
      means: { text: 'Hello', stop: 'refused', usage: { input: 564, output: 22 } },
      for: { chat: { text: 'HelloThe model refused to answer.' } },
    },
    {
      name: 'an error event in the middle of a text',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"id":"msg_6","type":"message","role":"assistant","model":"claude-opus-4","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}

event: error
data: {"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"},"request_id":"req_011CPLRZVLTNcd6s3iWrdGNg"}

`,
      means: { fails: 'Overloaded' },
    },
    {
      name: 'a stop sequence',
      body: String.raw`{"id":"msg_7","type":"message","role":"assistant","model":"claude-opus-4","content":[{"type":"text","text":"1, 2"}],"stop_reason":"stop_sequence","stop_sequence":", 3","usage":{"input_tokens":12,"output_tokens":4}}`,
      means: { text: '1, 2', stop: 'stop', usage: { input: 12, output: 4 } },
    },
  ],
}

/** Others that serve Messages. */
export const messagesServers: Provider = {
  provider: 'Bedrock-style and other Messages servers',
  speaks: 'messages',
  replies: [
    {
      name: 'numbers of the host behind the last event, and an input that is a text',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"model":"claude-3-sonnet-20240229","id":"msg_bdrk_01","type":"message","role":"assistant","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":846,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_bdrk_01WYxeNMfmJuZPkKbKB6tL6B","name":"look","input":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"at\":\"sun\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"output_tokens":53}}

event: message_stop
data: {"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":846,"outputTokenCount":39,"invocationLatency":880,"firstByteLatency":402}}

`,
      means: {
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 846, output: 53 },
      },
    },
    {
      name: 'a start that comes twice, thoughts in a text, and `end_turn` with a call',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"id":"msg_9","type":"message","role":"assistant","model":"local","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":0,"output_tokens":0}}}

event: message_start
data: {"type":"message_start","message":{"id":"msg_9","type":"message","role":"assistant","model":"local","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":7,"output_tokens":0}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"call_1","name":"look","input":{"at":"sun"}}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}

event: message_stop
data: {"type":"message_stop"}

`,
      means: {
        text: 'Hi',
        thoughts: 'Hm.',
        calls: [{ name: 'look', input: { at: 'sun' } }],
        stop: 'tool_calls',
        usage: { input: 7, output: 3 },
      },
    },
    {
      name: 'blocks that interleave, without any usage',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"id":"msg_10","type":"message","role":"assistant","model":"local","content":[]}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"look","input":{}}}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"b","name":"look","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"at\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"at\":\"moon\"}"}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"\"sun\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use"}}

event: message_stop
data: {"type":"message_stop"}

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
      name: 'an end without message_stop',
      stream: String.raw`event: message_start
data: {"type":"message_start","message":{"id":"msg_11","type":"message","role":"assistant","model":"local","content":[],"usage":{"input_tokens":7,"output_tokens":0}}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}

`,
      means: { fails: 'ended before it was complete' },
    },
  ],
}
