import {
  type ObjectSpec,
  type Shape,
  anything,
  boolean,
  choice,
  list,
  object,
  string,
  variants,
} from '../../shape.ts'
import { toolName } from '../fields.ts'

const functionTool: ObjectSpec = {
  required: { name: toolName },
  optional: {
    parameters: object({ open: true }),
    strict: boolean,
    description: string(),
    defer_loading: boolean,
    async: boolean,
    output_schema: anything,
    allowed_callers: anything,
  },
}

const hosted = (...required: string[]): ObjectSpec => ({
  required: Object.fromEntries(required.map((key) => [key, anything])),
  open: true,
})

/** A tool. Unlike in Chat Completions, the members of a function stand beside its type. */
export const responsesTool = variants('type', {
  function: functionTool,
  custom: {
    required: { name: toolName },
    optional: {
      description: string(),
      defer_loading: boolean,
      allowed_callers: anything,
      format: variants('type', {
        text: {},
        grammar: { required: { syntax: choice('lark', 'regex'), definition: string() } },
      }),
    },
  },
  apply_patch: hosted(),
  code_interpreter: hosted('container'),
  computer: hosted(),
  computer_use_preview: hosted('display_width', 'display_height', 'environment'),
  file_search: hosted('vector_store_ids'),
  image_generation: hosted(),
  local_shell: hosted(),
  mcp: hosted('server_label'),
  namespace: hosted('name', 'description', 'tools'),
  programmatic_tool_calling: hosted(),
  shell: hosted(),
  tool_search: hosted(),
  web_search: hosted(),
  web_search_2025_08_26: hosted(),
  web_search_preview: hosted(),
  web_search_preview_2025_03_11: hosted(),
})

const allowedTool = object({ required: { type: string() }, open: true })

const objectChoice = variants('type', {
  function: { required: { name: toolName } },
  custom: { required: { name: toolName } },
  mcp: { required: { server_label: string() }, optional: { name: string() } },
  allowed_tools: {
    required: { tools: list(allowedTool, { min: 1 }) },
    optional: { mode: choice('auto', 'required') },
  },
  apply_patch: {},
  code_interpreter: {},
  computer: {},
  computer_use: {},
  computer_use_preview: {},
  file_search: {},
  image_generation: {},
  programmatic_tool_calling: {},
  shell: {},
  web_search: {},
  web_search_preview: {},
  web_search_preview_2025_03_11: {},
})

/** `tool_choice`: whether and which tools the model may call. */
export const responsesToolChoice: Shape = (value, path) => {
  if (typeof value === 'string') choice('none', 'auto', 'required')(value, path)
  else objectChoice(value, path)
}
