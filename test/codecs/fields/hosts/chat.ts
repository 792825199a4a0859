import { type Host, pdf, png, schema } from './host.ts'

const hello = { role: 'user', content: 'Hello' }
const says = (...content: object[]) => ({ messages: [{ role: 'user', content }] })
const answers = (content: unknown, more: object = {}) => ({
  messages: [hello, { role: 'assistant', content, ...more }, hello],
})
const look = { type: 'function', function: { name: 'look', parameters: schema } }
const hear = { type: 'function', function: { name: 'hear', parameters: schema } }
const walk = { type: 'custom', custom: { name: 'walk' } }
const run = { type: 'custom', custom: { name: 'run' } }
const seen = (role: string, fields: object) => ({ role, content: 'Seen.', ...fields })
const calls = (call: object, content: unknown = 'Seen.') => ({
  tools: [look],
  messages: [
    hello,
    { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', ...call }] },
    { role: 'tool', tool_call_id: 'call_1', content },
  ],
})
const called = { type: 'function', function: { name: 'look', arguments: '{}' } }
const legacy = {
  functions: [look.function],
  messages: [
    hello,
    { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
    seen('function', { name: 'look' }),
  ],
}
const text = { type: 'text', text: 'Hi.' }

const bare = { type: 'file', file: { filename: 'a.pdf' } }

/** Requests of Chat Completions. */
export const chatHosts: readonly Host[] = [
  { of: '', body: { messages: [hello] }, at: '' },
  {
    of: 'messages[system]',
    body: { messages: [{ role: 'system', content: 'Hi.' }, hello] },
    at: 'messages[0]',
  },
  {
    of: 'messages[developer]',
    body: { messages: [{ role: 'developer', content: 'Hi.' }, hello] },
    at: 'messages[0]',
  },
  { of: 'messages[user]', body: { messages: [hello] }, at: 'messages[0]' },
  {
    of: 'messages[system].content[]',
    body: { messages: [{ role: 'system', content: [text] }, hello] },
    at: 'messages[0].content[0]',
  },
  {
    of: 'messages[developer].content[]',
    body: { messages: [{ role: 'developer', content: [text] }, hello] },
    at: 'messages[0].content[0]',
  },
  { of: 'messages[user].content[text]', body: says(text), at: 'messages[0].content[0]' },
  {
    of: 'messages[user].content[image_url]',
    body: says({ type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }),
    at: 'messages[0].content[0]',
  },
  {
    of: 'messages[user].content[input_audio]',
    body: says({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'mp3' } }),
    at: 'messages[0].content[0]',
  },
  {
    of: 'messages[user].content[file]',
    body: says({
      type: 'file',
      file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${pdf}` },
    }),
    at: 'messages[0].content[0]',
  },
  {
    of: 'messages[user].content[file].file.file_id',
    body: says(text, bare),
    at: 'messages[0].content[1].file.file_id',
  },
  { of: 'messages[assistant]', body: answers('Hi.'), at: 'messages[1]' },
  { of: 'messages[assistant].content[text]', body: answers([text]), at: 'messages[1].content[0]' },
  {
    of: 'messages[assistant].content[refusal]',
    body: answers([{ type: 'refusal', refusal: 'No.' }]),
    at: 'messages[1].content[0]',
  },
  {
    of: 'messages[assistant].tool_calls[function]',
    body: calls(called),
    at: 'messages[1].tool_calls[0]',
  },
  {
    of: 'messages[assistant].tool_calls[custom]',
    body: { ...calls({ type: 'custom', custom: { name: 'run', input: 'ls' } }), tools: [run] },
    at: 'messages[1].tool_calls[0]',
  },
  {
    of: 'messages[assistant].tool_calls[function].id',
    body: { tools: [look], messages: calls(called).messages.slice(0, 2) },
    at: 'messages[1].tool_calls[0].id',
  },
  {
    of: 'messages[assistant].tool_calls[custom].id',
    body: {
      tools: [run],
      messages: calls({ type: 'custom', custom: { name: 'run', input: 'ls' } }).messages.slice(
        0,
        2,
      ),
    },
    at: 'messages[1].tool_calls[0].id',
  },
  {
    of: 'messages[assistant].function_call.name',
    body: { ...legacy, messages: legacy.messages.slice(0, 2) },
    at: 'messages[1].function_call.name',
  },
  { of: 'messages[assistant].function_call', body: legacy, at: 'messages[1].function_call' },
  { of: 'messages[function]', body: legacy, at: 'messages[2]' },
  { of: 'messages[tool]', body: calls(called), at: 'messages[2]' },
  { of: 'messages[tool].content[]', body: calls(called, [text]), at: 'messages[2].content[0]' },
  {
    of: 'functions[]',
    body: { functions: [look.function], messages: [hello] },
    at: 'functions[0]',
  },
  {
    of: 'function_call',
    body: { functions: [look.function], messages: [hello] },
    at: 'function_call',
  },
  { of: 'tools[function]', body: { tools: [look], messages: [hello] }, at: 'tools[0]' },
  { of: 'tools[custom]', body: { tools: [run], messages: [hello] }, at: 'tools[0]' },
  { of: 'tool_choice', body: { tools: [look], messages: [hello] }, at: 'tool_choice' },
  {
    of: 'tool_choice[function]',
    body: {
      tools: [look, hear],
      tool_choice: { type: 'function', function: { name: 'hear' } },
      messages: [hello],
    },
    at: 'tool_choice',
  },
  {
    of: 'tool_choice[custom]',
    body: {
      tools: [run, walk],
      tool_choice: { type: 'custom', custom: { name: 'walk' } },
      messages: [hello],
    },
    at: 'tool_choice',
  },
  {
    of: 'tool_choice[allowed_tools]',
    body: {
      tools: [look, hear],
      tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [look] } },
      messages: [hello],
    },
    at: 'tool_choice',
  },
  {
    of: 'parallel_tool_calls',
    body: { tools: [look], messages: [hello] },
    at: 'parallel_tool_calls',
  },
  { of: 'top_logprobs', body: { logprobs: true, messages: [hello] }, at: 'top_logprobs' },
  {
    of: 'response_format[json_schema]',
    body: {
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema } },
      messages: [hello],
    },
    at: 'response_format',
  },
]
