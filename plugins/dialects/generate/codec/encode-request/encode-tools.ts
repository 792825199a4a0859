import type { RecordLoss } from '../../../../../src/contract/codec.ts'
import { type JsonObject, defined } from '../../../../../src/lib/json/object.ts'
import { choiceField } from '../../../../../src/generate/fields.ts'
import type { GenerateRequest } from '../../../../../src/generate/request.ts'
import type { Tool } from '../../../../../src/generate/tools.ts'
import type { DeclaredToolNames } from '../tool-names.ts'

const noneOfThem = 'none of the tools is the one to be called'

type FunctionTool = Extract<Tool, { kind: 'function' }>

/** `tools` and `toolConfig`. Without tools there is nothing to choose. */
export function encodeTools(
  request: GenerateRequest,
  names: DeclaredToolNames,
  drop: RecordLoss,
): JsonObject {
  const { tools, toolChoice } = request
  const mode = toolChoice?.mode ?? 'auto'
  const only = toolChoice?.only ?? []
  const functions = tools.filter((tool) => tool.kind === 'function')
  const offered = mode === 'auto' && only.length > 0 ? amongst(functions, only) : functions
  if (offered.length === 0) {
    if (functions.length > 0) drop(choiceField(request), noneOfThem)
    return {}
  }
  return {
    tools: [{ functionDeclarations: offered.map((tool) => declarationOf(tool, names)) }],
    ...(toolChoice && { toolConfig: { functionCallingConfig: callingOf(mode, only, names) } }),
  }
}

/** Only a model that must call can be told what; for one that may, the others are left out. */
function amongst(tools: FunctionTool[], only: readonly string[]): FunctionTool[] {
  return tools.filter(({ name }) => only.includes(name))
}

const modes = { auto: 'AUTO', required: 'ANY', none: 'NONE' } as const

function callingOf(
  mode: keyof typeof modes,
  only: readonly string[],
  names: DeclaredToolNames,
): JsonObject {
  const isNamed = mode === 'required' && only.length > 0
  return {
    mode: modes[mode],
    ...(isNamed && { allowedFunctionNames: only.map((name) => names.toAccount(name)) }),
  }
}

function declarationOf({ name, description, parameters }: FunctionTool, names: DeclaredToolNames) {
  return {
    name: names.toAccount(name),
    ...defined({ description, parametersJsonSchema: parameters }),
  }
}
