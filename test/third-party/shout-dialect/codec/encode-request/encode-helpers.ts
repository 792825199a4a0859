import {
  defined,
  type GenerateRequest,
  type JsonObject,
  type Tool,
  type ToolChoice,
} from '../../../../../src/dialect-kit/index.ts'

const words: Readonly<Record<ToolChoice['mode'], string>> = {
  auto: 'may',
  required: 'must',
  none: 'never',
}

/** The tools that may be called as helpers: one that must be called stands alone. */
export function encodeHelpers({ tools, toolChoice }: GenerateRequest): JsonObject {
  const { mode, only } = toolChoice ?? {}
  const offered = only ? tools.filter(({ name }) => only.includes(name)) : tools
  if (offered.length === 0) return {}
  return { helpers: offered.map(encodeHelper), ...(mode && { call: words[mode] }) }
}

function encodeHelper(tool: Tool): JsonObject {
  const takes = tool.kind === 'function' ? tool.parameters : undefined
  return { name: tool.name, ...defined({ about: tool.description, takes }) }
}
