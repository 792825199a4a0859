import { type Host, pdf, png, schema } from './host.ts'

const hello = { role: 'user', content: 'Hello' }
const says = (...content: object[]) => ({ input: [{ role: 'user', content }] })
const look = { type: 'function', name: 'look', parameters: schema, strict: false }
const hear = { ...look, name: 'hear' }
const walk = { type: 'custom', name: 'walk' }
const run = { type: 'custom', name: 'run' }
const called = { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' }
const ran = { type: 'custom_tool_call', call_id: 'call_1', name: 'run', input: 'ls' }
const calls = (call: object, tool: object, type: string, output: unknown) => ({
  tools: [tool],
  input: [hello, call, { type, call_id: 'call_1', output }],
})
const looks = (output: unknown = 'Seen.') => calls(called, look, 'function_call_output', output)
const runs = (output: unknown = 'Seen.') => calls(ran, run, 'custom_tool_call_output', output)
const text = { type: 'input_text', text: 'Hi.' }
const image = { type: 'input_image', image_url: `data:image/png;base64,${png}` }
const file = {
  type: 'input_file',
  filename: 'a.pdf',
  file_data: `data:application/pdf;base64,${pdf}`,
}
const answer = (part: object) => ({
  input: [
    hello,
    { type: 'message', id: 'msg_1', status: 'completed', role: 'assistant', content: [part] },
    hello,
  ],
})
const spoken = { type: 'output_text', text: 'Hi.', annotations: [] }
const offered = (tool: object) => ({ tools: [tool], input: [hello] })
const grouped = (tool: object) =>
  offered({ type: 'namespace', name: 'maps', description: '', tools: [tool] })

const outputs = [
  ['function_call_output', looks],
  ['custom_tool_call_output', runs],
] as const

/** A part of which the field is the only source. */
const alone: readonly (readonly [type: string, field: string])[] = [
  ['input_image', 'file_id'],
  ['input_file', 'file_url'],
  ['input_file', 'file_id'],
]

/** Requests of Responses. */
export const responsesHosts: readonly Host[] = [
  { of: '', body: { input: 'Hello' }, at: '' },
  { of: 'input[*]', body: { input: [hello] }, at: 'input[1]' },
  { of: 'input[message]', body: { input: [hello] }, at: 'input[0]' },
  { of: 'input[message].content[*]', body: says(text), at: 'input[0].content[1]' },
  { of: 'input[message].role', body: { input: [hello, hello] }, at: 'input[0].role' },
  { of: 'input[message].content[input_text]', body: says(text), at: 'input[0].content[0]' },
  { of: 'input[message].content[input_image]', body: says(image), at: 'input[0].content[0]' },
  { of: 'input[message].content[input_file]', body: says(file), at: 'input[0].content[0]' },
  {
    of: 'input[message].content[input_audio]',
    body: says({ type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } }),
    at: 'input[0].content[0]',
  },
  {
    of: 'input[message].content[image_url]',
    body: says({ type: 'image_url', image_url: { url: image.image_url } }),
    at: 'input[0].content[0]',
  },
  ...alone.map(([type, field]): Host => ({
    of: `input[message].content[${type}].${field}`,
    body: says({ type }),
    at: `input[0].content[0].${field}`,
  })),
  { of: 'input[message].id', body: answer(spoken), at: 'input[1].id' },
  { of: 'input[message].status', body: answer(spoken), at: 'input[1].status' },
  { of: 'input[message].phase', body: answer(spoken), at: 'input[1].phase' },
  { of: 'input[message].content[output_text]', body: answer(spoken), at: 'input[1].content[0]' },
  {
    of: 'input[message].content[refusal]',
    body: answer({ type: 'refusal', refusal: 'No.' }),
    at: 'input[1].content[0]',
  },
  {
    of: 'input[reasoning]',
    body: { input: [hello, { type: 'reasoning', id: 'rs_1', summary: [] }, hello] },
    at: 'input[1]',
  },
  { of: 'input[function_call]', body: looks(), at: 'input[1]' },
  {
    of: 'input[function_call].call_id',
    body: { tools: [look], input: [hello, called] },
    at: 'input[1].call_id',
  },
  { of: 'input[custom_tool_call]', body: runs(), at: 'input[1]' },
  {
    of: 'input[custom_tool_call].call_id',
    body: { tools: [run], input: [hello, ran] },
    at: 'input[1].call_id',
  },
  ...outputs.flatMap(([kind, body]): Host[] => [
    { of: `input[${kind}]`, body: body(), at: 'input[2]' },
    ...alone.map(([type, field]): Host => ({
      of: `input[${kind}].output[${type}].${field}`,
      body: body([text, { type }]),
      at: `input[2].output[1].${field}`,
    })),
    { of: `input[${kind}].output[input_text]`, body: body([text]), at: 'input[2].output[0]' },
    {
      of: `input[${kind}].output[input_image]`,
      body: body([text, image]),
      at: 'input[2].output[1]',
    },
    { of: `input[${kind}].output[input_file]`, body: body([text, file]), at: 'input[2].output[1]' },
  ]),
  { of: 'tools[*]', body: { input: [hello] }, at: 'tools[0]' },
  { of: 'tools[function]', body: offered(look), at: 'tools[0]' },
  { of: 'tools[custom]', body: offered(run), at: 'tools[0]' },
  { of: 'tools[namespace]', body: grouped(look), at: 'tools[0]' },
  { of: 'tools[namespace].tools[function]', body: grouped(look), at: 'tools[0].tools[0]' },
  { of: 'tools[namespace].tools[custom]', body: grouped(run), at: 'tools[0].tools[0]' },
  { of: 'tool_choice', body: offered(look), at: 'tool_choice' },
  {
    of: 'tool_choice[custom]',
    body: { ...offered(run), tools: [run, walk], tool_choice: { type: 'custom', name: 'walk' } },
    at: 'tool_choice',
  },
  {
    of: 'tool_choice[function]',
    body: {
      ...offered(look),
      tools: [look, hear],
      tool_choice: { type: 'function', name: 'hear' },
    },
    at: 'tool_choice',
  },
  {
    of: 'tool_choice[allowed_tools]',
    body: {
      ...offered(look),
      tools: [look, hear],
      tool_choice: {
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'look' }],
      },
    },
    at: 'tool_choice',
  },
  { of: 'parallel_tool_calls', body: offered(look), at: 'parallel_tool_calls' },
  {
    of: 'text.format[json_schema]',
    body: { input: 'Hello', text: { format: { type: 'json_schema', name: 'n', schema } } },
    at: 'text.format',
  },
]
