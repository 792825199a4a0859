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

const customFormat = variants('type', {
  text: {},
  grammar: {
    required: {
      grammar: object({
        required: { syntax: choice('lark', 'regex'), definition: string() },
      }),
    },
  },
})

/** A tool. Unlike in Responses, its members are nested under the name of its type. */
export const chatTool = variants('type', {
  function: {
    required: {
      function: object({
        required: { name: toolName },
        optional: {
          description: string(),
          parameters: object({ open: true }),
          strict: boolean,
        },
      }),
    },
  },
  custom: {
    required: {
      custom: object({
        required: { name: toolName },
        optional: { description: string(), format: customFormat },
      }),
    },
  },
})

const named: Record<'function' | 'custom', ObjectSpec> = {
  function: { required: { function: object({ required: { name: toolName } }) } },
  custom: { required: { custom: object({ required: { name: toolName } }) } },
}

const namedChoice = variants('type', {
  ...named,
  allowed_tools: {
    required: {
      allowed_tools: object({
        required: { mode: choice('auto', 'required'), tools: list(anything, { min: 1 }) },
      }),
    },
  },
})

/** `tool_choice`: whether and which tools the model may call. */
export const chatToolChoice: Shape = (value, path) => {
  if (typeof value === 'string') choice('none', 'auto', 'required')(value, path)
  else namedChoice(value, path)
}
