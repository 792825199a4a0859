import type { JsonObject } from '../../src/lib/json/object.ts'
import type { Name } from './samples/index.ts'

const schema = { type: 'object', properties: { odd: { type: 'string', odd: 1 } } }
/** What nobody knows, and what says nothing. */
export const odd = { odd: { very: 'odd' }, absent: null }
const url = 'https://x.test/a.png'

/** Requests with something odd in all that they hold, and what their clients call it. */
export const oddRequests: readonly (readonly [Name, JsonObject, string[]])[] = [
  [
    'chat',
    {
      messages: [
        { role: 'system', content: 'Be.', ...odd },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'hi', ...odd },
            { type: 'image_url', image_url: { url, ...odd }, ...odd },
          ],
        },
        {
          role: 'assistant',
          tool_calls: [
            { id: 'c', type: 'function', function: { name: 'f', arguments: '{}', ...odd }, ...odd },
          ],
          ...odd,
        },
        { role: 'tool', tool_call_id: 'c', content: 'ok', ...odd },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: schema, ...odd }, ...odd }],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', schema, ...odd },
        ...odd,
      },
    },
    [
      'messages[0].odd',
      'messages[1].content[0].odd',
      'messages[1].content[1].image_url.odd',
      'messages[1].content[1].odd',
      'messages[2].odd',
      'messages[2].tool_calls[0].function.odd',
      'messages[2].tool_calls[0].odd',
      'messages[3].odd',
      'response_format.json_schema.odd',
      'response_format.odd',
      'tools[0].function.odd',
      'tools[0].odd',
    ],
  ],
  [
    'responses',
    {
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'hi', ...odd }], ...odd },
        { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}', ...odd },
        { type: 'function_call_output', call_id: 'c', output: 'ok', ...odd },
      ],
      text: { format: { type: 'json_schema', name: 'n', schema, ...odd }, ...odd },
      tools: [
        { type: 'function', name: 'f', parameters: schema, ...odd },
        { type: 'namespace', name: 'n', description: 'Of many.', tools: [], ...odd },
      ],
    },
    [
      'input[0].content[0].odd',
      'input[0].odd',
      'input[1].odd',
      'input[2].odd',
      'text.format.odd',
      'text.odd',
      'tools[0].odd',
      'tools[1].description',
      'tools[1].odd',
    ],
  ],
  [
    'messages',
    {
      system: [{ type: 'text', text: 'Be.', ...odd }],
      messages: [
        {
          role: 'user',
          content: [{ type: 'image', source: { type: 'url', url, ...odd }, ...odd }],
          ...odd,
        },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c', name: 'f', input: {}, ...odd }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c', content: 'ok', ...odd }],
        },
      ],
      tools: [{ name: 'f', input_schema: schema, ...odd }],
      tool_choice: { type: 'auto', ...odd },
      thinking: { type: 'enabled', budget_tokens: 1024, ...odd },
      output_config: { format: { type: 'json_schema', schema, ...odd }, ...odd },
      metadata: { user_id: 'u', ...odd },
    },
    [
      'messages[0].content[0].odd',
      'messages[0].content[0].source.odd',
      'messages[0].odd',
      'messages[1].content[0].odd',
      'messages[2].content[0].odd',
      'metadata.odd',
      'output_config.format.odd',
      'output_config.odd',
      'system[0].odd',
      'thinking.odd',
      'tool_choice.odd',
      'tools[0].odd',
    ],
  ],
  [
    'generate',
    {
      systemInstruction: { parts: [{ text: 'Be.', ...odd }] },
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'f', args: {}, ...odd } }] },
        {
          role: 'user',
          parts: [{ functionResponse: { name: 'f', response: { odd: 1 }, ...odd } }],
        },
      ],
    },
    [
      'contents[0].parts[0].functionCall.odd',
      'contents[1].parts[0].functionResponse.odd',
      'systemInstruction.parts[0].odd',
    ],
  ],
]
