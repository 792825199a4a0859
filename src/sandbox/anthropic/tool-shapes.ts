import { isObject } from '../json.ts'
import { type Shape, anything, boolean, list, object, string, variants } from '../shape.ts'
import { cacheControl } from './block-shapes.ts'

const customTool = object({
  required: {
    name: string({ pattern: /^[a-zA-Z0-9_-]{1,128}$/ }),
    input_schema: variants('type', { object: { open: true } }),
  },
  optional: { type: string(), cache_control: cacheControl, eager_input_streaming: boolean },
  omittable: {
    description: string(),
    strict: boolean,
    defer_loading: boolean,
    allowed_callers: anything,
    input_examples: list(anything),
  },
})

// The types of Anthropic's own tools end with the date of their version.
const providerTool =
  /^(bash|text_editor|memory|computer|computer_toolset|browser_toolset|web_search|web_fetch|code_execution|tool_search_tool_(regex|bm25)|mcp_toolset)(_\d{8})?$/

/** A tool: a custom one of the user, or one of Anthropic's own. */
export const messagesTool: Shape = (value, path) => {
  const type = isObject(value) ? value['type'] : undefined
  const isCustom = type === undefined || type === null || type === 'custom'
  if (isCustom) customTool(value, path)
  else string({ pattern: providerTool })(type, [...path, 'type'])
}

const parallel = { disable_parallel_tool_use: boolean }

/** `tool_choice`: whether and which tools the model may call. */
export const messagesToolChoice = variants('type', {
  auto: { omittable: parallel },
  any: { omittable: parallel },
  tool: { required: { name: string() }, omittable: parallel },
  none: {},
})
